import type { Socket } from 'node:net';

import { changedReceiver, fuzzed, rawReceiver, sendPassed } from './enclosures.ts';
import type { ZooTarget } from './zooTarget.ts';

/** Says something once the first bytes of a request have come. */
function once(socket: Socket, answer: (socket: Socket) => unknown): void {
  socket.once('data', () => {
    socket.resume();
    answer(socket);
  });
}

/** Writes for as long as the other side takes it. */
function forEver(socket: Socket, chunk: Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', write);
  };
  write();
}

/** Any tenth answer, drawn by chance, is never sent. */
const droppingTenth = changedReceiver(async (_, response, pass) => {
  const all = await pass();
  if (Math.random() < 0.1) response.socket?.destroy();
  else sendPassed(response, all);
});

/** Receivers that no run may break on. */
export const receivers: readonly ZooTarget[] = [
  { name: 'takes connections and says nothing', daily: true, start: rawReceiver(() => {}), exits: [3] },
  { name: 'greets like SSH', start: rawReceiver((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')), exits: [3] },
  { name: 'resets each connection at once', start: rawReceiver((socket) => socket.resetAndDestroy()), exits: [3] },
  {
    name: 'speaks HTTP/0.9',
    start: rawReceiver((socket) => once(socket, () => socket.end('<html>ok</html>'))),
    exits: [3],
  },
  {
    name: 'floods with interim answers',
    start: rawReceiver((socket) =>
      once(socket, () => forEver(socket, Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(500)))),
    ),
    exits: [3],
  },
  {
    name: 'announces a terabyte and sends two bytes',
    start: rawReceiver((socket) =>
      once(socket, () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\nok')),
    ),
    exits: [3],
  },
  {
    name: 'conforms, with a probe that answers a gigabyte',
    start: changedReceiver(
      async ({ path }, response, pass) => {
        if (!path.startsWith('/effects/')) return sendPassed(response, await pass());
        response.writeHead(200);
        if (response.socket) forEver(response.socket, Buffer.alloc(64 * 1024, ' '));
      },
      ['--probe', 'ORIGIN/effects/{id}'],
    ),
    exits: [2, 3],
  },
  {
    name: 'conforms, with a probe that nests deeply',
    start: changedReceiver(
      async ({ path }, response, pass) => {
        if (!path.startsWith('/effects/')) return sendPassed(response, await pass());
        return response.end(`{"count":${'['.repeat(400_000)}`);
      },
      ['--probe', 'ORIGIN/effects/{id}'],
    ),
    exits: [2],
  },
  {
    name: 'conforms',
    start: changedReceiver(async (_, response, pass) => sendPassed(response, await pass())),
    exits: [0],
    broken: [],
  },
  {
    name: 'answers with a body that never ends, fast',
    start: rawReceiver((socket) =>
      once(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n');
        forEver(socket, Buffer.alloc(64 * 1024, 'a'));
      }),
    ),
    exits: [1],
    broken: ['RCV-1', 'RCV-4'],
    time: '12s',
    seconds: 25,
  },
  {
    name: 'answers with a status and a body that never comes',
    daily: true,
    start: rawReceiver(
      (socket) => once(socket, () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')),
      ['--timeout', '200ms'],
    ),
    exits: [1],
    broken: ['RCV-1', 'RCV-4'],
    time: '12s',
    seconds: 25,
  },
  {
    name: 'writes headers without end',
    daily: true,
    start: rawReceiver((socket) =>
      once(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        forEver(socket, Buffer.from('X-More: and more\r\n'.repeat(1000)));
      }),
    ),
    exits: [3],
  },
  { name: 'drops a tenth of all answers', start: droppingTenth, exits: [0, 3], broken: [] },
  {
    name: 'drops a tenth of all answers, and is searched',
    start: fuzzed(droppingTenth),
    exits: [0, 3],
    broken: [],
    time: '10s',
    seconds: 60,
  },
  ...[64, 128].map((files): ZooTarget => ({
    name: `conforms, and the kit may open ${files} files`,
    start: changedReceiver(async (_, response, pass) => sendPassed(response, await pass())),
    before: `ulimit -n ${files}`,
    exits: [0],
    broken: [],
    time: '12s',
    seconds: 25,
  })),
];
