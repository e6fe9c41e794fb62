import { gzipSync } from 'node:zlib';

import { breakingOff, dripping, flooding, saying, type Script } from './sockets.ts';

const head = 'HTTP/1.1 200 OK\r\n';
const ok = `${head}Content-Length: 2\r\n\r\nok`;
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024)).toString('latin1');

/** What a target does with every connection, and the exit codes that are right where it is a receiver; and a service, which not all are. */
type Row = readonly [name: string, script: Script, receiver: readonly number[], service?: readonly number[]];

/** Strange answers, the same to every request. */
export const answers: readonly Row[] = [
  ['takes connections and says nothing', () => {}, [3], [3]],
  ['greets like SSH', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), [3], [3]],
  ['resets each connection at once', (socket) => socket.resetAndDestroy(), [3], [3]],
  ['closes each connection once a request comes', saying(''), [3]],
  ['resets each connection once a request comes', breakingOff(''), [3]],
  ['resets within the status line', breakingOff('HTTP/1.1 2'), [3]],
  ['resets within the body', breakingOff(`${head}Content-Length: 100\r\n\r\nhalf`), [1], [3]],
  ['speaks HTTP/0.9', saying('<html>ok</html>'), [3], [3]],
  ['says that its status is a banana', saying('HTTP/1.1 banana\r\n\r\n'), [3]],
  ['answers 999', saying('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'), [3], [3]],
  ['answers 101', saying('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'), [3]],
  ['announces a length that is no number', saying(`${head}Content-Length: two\r\n\r\nok`), [3]],
  ['announces two lengths', saying(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`), [1, 3]],
  ['announces a terabyte and sends two bytes', saying(`${head}Content-Length: 1000000000000\r\n\r\nok`), [1], [3]],
  [
    'sends chunks whose size is no number',
    saying(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n`),
    [1],
  ],
  ['writes headers without a colon', saying(`${head}this is none\r\nContent-Length: 2\r\n\r\nok`), [1, 3]],
  ['writes headers with a NUL', saying(`${head}X-Nul: a\0b\r\nContent-Length: 2\r\n\r\nok`), [1, 3]],
  ['folds its headers', saying(`${head}X-Folded: one\r\n two\r\nContent-Length: 2\r\n\r\nok`), [1, 3]],
  [
    'repeats a header a thousand times',
    saying(`${head}${'Set-Cookie: a=b\r\n'.repeat(1000)}Content-Length: 2\r\n\r\nok`),
    [1, 3],
  ],
  ['writes headers without end', flooding(head, 'X-More: and more\r\n'), [3], [3]],
  ['floods with interim answers', flooding('', 'HTTP/1.1 102 Processing\r\n\r\n'), [3], [3]],
  [
    'answers with a body that never ends, fast',
    flooding(`${head}Transfer-Encoding: identity\r\n\r\n`, 'a'),
    [1, 3],
    [1, 3],
  ],
  ['answers with chunks that never end', flooding(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'), [1, 3]],
  ['answers byte by byte', dripping(ok, 10), [1, 3], [3]],
  ['answers twice', saying(ok + ok), [1, 3]],
  ['answers 204 with a body', saying('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok'), [1, 3]],
  [
    'answers with a compressed bomb',
    saying(`${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n${bomb}`),
    [1, 3],
    [3],
  ],
  ['redirects to itself', saying('HTTP/1.1 307 Again\r\nLocation: /\r\nContent-Length: 0\r\n\r\n'), [1, 3], [3]],
  [
    'redirects to the metadata of a cloud',
    saying('HTTP/1.1 302 There\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
    [1, 3],
    [3],
  ],
  ['answers every request with 500', saying('HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n'), [3], [3]],
  [
    'asks for a year of patience',
    saying('HTTP/1.1 503 Later\r\nRetry-After: 31536000\r\nContent-Length: 0\r\n\r\n'),
    [3],
    [3],
  ],
];
