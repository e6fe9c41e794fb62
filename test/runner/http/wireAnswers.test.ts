import { once } from 'node:events';

import { expect, test } from 'vitest';

import type { Deliverer } from '../../../runner/http/deliverer.ts';
import { body, byHand, head, outcome } from '../deliveries.ts';
import { ok, type RawServer } from '../rawServer.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets();
let server: RawServer;
let deliverer: Deliverer;

async function start(script: Parameters<typeof targets.raw>[0], { timeout = 5000 } = {}): Promise<void> {
  server = await targets.raw(script);
  deliverer = targets.deliverer(server.url, { timeout });
}

test('skips interim answers', async () => {
  await start((socket) => {
    const interim = 'HTTP/1.1 102 Processing\r\nX: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    socket.once('data', () => socket.end(`${interim}${ok}`));
  });
  expect(await deliverer.deliver(byHand([head, body]))).toMatchObject({
    status: 200,
    headers: [['Content-Length', '2']],
    body: 'ok',
  });
});

test('times out where nothing is answered', async () => {
  await start((socket) => void socket.resume(), { timeout: 50 });
  const answer = await deliverer.deliver(byHand([head, body]));
  expect(outcome(answer)).toBe('timed-out');
  expect(answer.ms).toBeGreaterThan(45);
});

test('times out where the answer does not end', async () => {
  await start((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab')), {
    timeout: 50,
  });
  expect(await deliverer.deliver(byHand([head, body]))).toMatchObject({ kind: 'timed-out', status: 200 });
});

test.each([
  ['closes at once', '', 'CLOSED'],
  ['closes within the head', 'HTTP/1.1 200 OK\r\nConte', 'TRUNCATED'],
  ['closes within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab', 'TRUNCATED'],
  ['closes within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', 'TRUNCATED'],
  ['speaks another protocol', '220 mail.example ESMTP\r\n', 'NOT_HTTP'],
  ['sends a wrong status line', 'HTTP/1.1 OK\r\n\r\n', 'NOT_HTTP'],
  ['sends a line that is no header', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n', 'NOT_HTTP'],
  ['sends a length that is no number', 'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n', 'NOT_HTTP'],
  ['sends a chunk size that is no number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'NOT_HTTP'],
])('a target that %s breaks the delivery', async (_, answer, code) => {
  await start((socket) => socket.once('data', () => socket.end(answer)));
  expect(outcome(await deliverer.deliver(byHand([head, body])))).toBe(code);
});

test('garbage is seen without waiting for the end of the connection', async () => {
  await start((socket) => socket.once('data', () => socket.write('\u0000\u0001\u0002')));
  expect(outcome(await deliverer.deliver(byHand([head, body])))).toBe('NOT_HTTP');
});

test('an endless head is no answer', async () => {
  await start((socket) => socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${'A: 1\r\n'.repeat(20_000)}`)));
  expect(outcome(await deliverer.deliver(byHand([head, body])))).toBe('NOT_HTTP');
});

test.each([
  ['by its length', 'Content-Length: 5\r\n\r\nabcde', 'abcde'],
  [
    'by its last chunk',
    'Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n',
    'abcde',
  ],
  ['by the end of the connection', '\r\nabcde', 'abcde'],
])('reads a body that ends %s, in pieces of any size', async (_, rest, text) => {
  await start((socket) => {
    socket.once('data', () => {
      const bytes = [...Buffer.from(`HTTP/1.1 201 Created\r\nX-Odd: a\r\n${rest}`)];
      const next = (): void => {
        const byte = bytes.shift();
        if (byte === undefined) socket.end();
        else socket.write(Buffer.of(byte), () => setImmediate(next));
      };
      next();
    });
  });
  const answer = await deliverer.deliver(byHand([head, body]));
  expect(answer).toMatchObject({ kind: 'answered', status: 201, body: text });
});

test('reads an endless body no further than it must', async () => {
  const closed = Promise.withResolvers<void>();
  await start((socket) => {
    socket.on('close', () => closed.resolve());
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const more = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 'x')));
      };
      socket.on('drain', more);
      more();
    });
  });
  const answer = await deliverer.deliver(byHand([head, body]));
  expect(answer).toMatchObject({ kind: 'timed-out', status: 200, cut: 16 * 1024 * 1024 });
  await closed.promise;
});

test('an abort breaks the delivery off and closes its connection', async () => {
  const controller = new AbortController();
  await start((socket) => socket.once('data', () => controller.abort()));
  const answer = await deliverer.deliver(byHand([head, body]), controller.signal);
  expect(outcome(answer)).toBe('ABORTED_BY_KIT');
  await server.drained();
});

test('a connection that is reset by the target reports the code of the system', async () => {
  await start((socket) => socket.once('data', () => socket.resetAndDestroy()));
  expect(outcome(await deliverer.deliver(byHand([head, body])))).toBe('ECONNRESET');
});

test('a target that nobody listens at refuses the connection', async () => {
  await start(() => {});
  server.server.close();
  await once(server.server, 'close');
  expect(outcome(await deliverer.deliver(byHand([head, body])))).toBe('ECONNREFUSED');
});

test('reads on behind the answer where that is asked for', async () => {
  await start((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok')),
  );
  const plain = byHand([head, body]);
  expect(await deliverer.deliver(plain)).not.toHaveProperty('surplus');
  const answer = await deliverer.deliver({ ...plain, wire: { ...plain.wire!, readsOn: true } });
  expect(answer).toMatchObject({ status: 204, body: '', surplus: 'ok' });
});

test('has read nothing more where the target closes the connection with its answer', async () => {
  await start((socket) => socket.once('data', () => socket.end(`${ok}\r\n`)));
  const plain = byHand([head, body]);
  expect(await deliverer.deliver({ ...plain, wire: { ...plain.wire!, readsOn: true } })).not.toHaveProperty('surplus');
});
