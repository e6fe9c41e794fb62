import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, test } from 'vitest';

import type { Catcher } from '../../../runner/catcher/catcher.ts';
import type { Endpoint } from '../../../runner/catcher/endpoint.ts';
import { connected, ended, post, until, untilClosed, useCatchers, written } from '../catchers.ts';

const start = useCatchers();
const ok = { do: 'respond', status: 200 } as const;

async function both(): Promise<readonly [Catcher, Endpoint]> {
  const catcher = await start();
  return [catcher, catcher.endpoint([ok])];
}

/** Sends bytes on a connection of their own, and reads until the catcher closes it. */
async function send(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await connected(url);
  const closed = untilClosed(socket);
  socket.write(bytes);
  const [text] = await closed;
  return text;
}

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['binary', Buffer.from([0, 255, 1, 254])],
  ['TLS', Buffer.from('16030100050100000100', 'hex')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a bad version', 'GET / HTTP/9.9\r\n\r\n'],
  ['a header without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(1_100_000)}`],
])('counts %s, refuses it, and goes on', async (_, bytes) => {
  const [catcher, endpoint] = await both();
  expect(await send(endpoint.url, bytes)).toMatch(/^HTTP\/1.1 (400|431) /);
  const [count] = catcher.unreadable.values();
  expect(count).toBeGreaterThanOrEqual(1);
  expect((await post(endpoint.url, '{"id":"1"}')).status).toBe(200);
  expect(endpoint.caught.map(({ key }) => key)).toEqual(['1']);
});

test('a connection that ends in the middle of a head is counted', async () => {
  const [catcher, endpoint] = await both();
  const socket = await connected(endpoint.url);
  socket.end('POST / HTTP/1.1\r\nHo');
  await untilClosed(socket);
  expect([...catcher.unreadable]).toEqual([['HPE_INVALID_EOF_STATE', 1]]);
});

test('connections that bring nothing are not counted', async () => {
  const [catcher, endpoint] = await both();
  const ends = [await connected(endpoint.url), await connected(endpoint.url), await connected(endpoint.url)] as const;
  ends[0].end();
  ends[1].destroy();
  ends[2].resetAndDestroy();
  await Promise.all(ends.map((socket) => untilClosed(socket)));
  await post(endpoint.url);
  expect([...catcher.unreadable]).toEqual([]);
});

test('records what is unreadable below the path of an endpoint, as it came', async () => {
  const [catcher, endpoint] = await both();
  const { pathname } = new URL(endpoint.url);
  const request = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nBad Name: 1\r\nX-Two:  2 \r\n\r\n{"id":"\u00e9"}`;
  expect(await send(endpoint.url, Buffer.from(request, 'latin1'))).toMatch(/^HTTP\/1.1 400 /);
  const [caught] = await ended(endpoint);
  expect(caught).toMatchObject({
    method: 'POST',
    path: pathname,
    headers: [
      ['Host', 'x'],
      ['Bad Name', '1'],
      ['X-Two', '2'],
    ],
    bytes: -1,
    key: '',
    peer: '127.0.0.1',
    end: { kind: 'answered', status: 400 },
  });
  expect(caught?.body.toString('latin1')).toBe('{"id":"\u00e9"}');
  expect([...catcher.unreadable.values()]).toEqual([1]);
});

test('a header that smuggles another one is recorded as two', async () => {
  const [, endpoint] = await both();
  const text = written(endpoint.url, '{"id":"1"}', ['X-A: a\r\nX-Smuggled: b', 'Connection: close']);
  await send(endpoint.url, text);
  expect((await ended(endpoint))[0]?.headers.slice(1, 3)).toEqual([
    ['X-A', 'a'],
    ['X-Smuggled', 'b'],
  ]);
});

test('huge headers, and thousands of them, are recorded', async () => {
  const [, endpoint] = await both();
  const many = Array.from({ length: 3000 }, (_, index) => `X-${index}: ${'x'.repeat(100)}`);
  await send(endpoint.url, written(endpoint.url, '{"id":"1"}', [...many, 'Connection: close']));
  expect((await ended(endpoint))[0]?.headers).toHaveLength(3003);
});

test('a request without Host, and one that wants to switch protocols, are like any', async () => {
  const [, endpoint] = await both();
  const { pathname } = new URL(endpoint.url);
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
  const socket = await connected(endpoint.url);
  socket.write(written(endpoint.url, '{"id":"1"}', upgrade));
  await ended(endpoint);
  socket.destroy();
  await send(endpoint.url, `POST ${pathname} HTTP/1.0\r\nContent-Length: 10\r\n\r\n{"id":"2"}`);
  await send(endpoint.url, `POST ${pathname} HTTP/1.1\r\nConnection: close\r\nContent-Length: 10\r\n\r\n{"id":"3"}`);
  expect((await ended(endpoint, 3)).map(({ key, end }) => `${key} ${end?.kind}`)).toEqual([
    '1 answered',
    '2 answered',
    '3 answered',
  ]);
});

test('a request that expects 100 (Continue) gets it; one that expects something else is like any', async () => {
  const [, endpoint] = await both();
  const expecting = (what: string): string =>
    written(endpoint.url, '{"id":"1"}', [`Expect: ${what}`, 'Connection: close']);
  expect(await send(endpoint.url, expecting('100-continue'))).toMatch(/^HTTP\/1.1 100 [^]*HTTP\/1.1 200 /);
  expect(await send(endpoint.url, expecting('tea'))).toMatch(/^HTTP\/1.1 200 /);
  expect(await ended(endpoint, 2)).toHaveLength(2);
});

test('CONNECT is a stray', async () => {
  const [catcher, endpoint] = await both();
  expect(await send(endpoint.url, 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 404 /);
  expect(catcher.strays).toBe(1);
});

test('a body in broken chunks is recorded as broken off', async () => {
  const [catcher, endpoint] = await both();
  const { pathname } = new URL(endpoint.url);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
  await send(endpoint.url, `${head}5\r\nhello\r\nZZ\r\n`);
  const [caught] = await ended(endpoint);
  expect(caught).toMatchObject({ bytes: -1, end: { kind: 'reset' } });
  expect(caught?.body.toString()).toBe('hello');
  expect(catcher.unreadable.size).toBe(1);
});

test('what follows a body that is longer than it says is counted, and the request answered', async () => {
  const [catcher, endpoint] = await both();
  for (const delay of [0, 20]) {
    endpoint.setScript([{ ...ok, delay }]);
    const text = written(endpoint.url, '{"id":"1"}').replace('Content-Length: 10', 'Content-Length: 9');
    expect(await send(endpoint.url, text)).toMatch(/^HTTP\/1.1 200 /);
  }
  const caught = await ended(endpoint, 2);
  expect(caught.map(({ bytes, end }) => [bytes, end?.kind])).toEqual([
    [9, 'answered'],
    [9, 'answered'],
  ]);
  expect([...catcher.unreadable.values()].reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(2);
});

test('pipelined requests are answered in their order', async () => {
  const [, endpoint] = await both();
  endpoint.setScript([
    { do: 'respond', status: 201, delay: 20 },
    { do: 'respond', status: 202 },
  ]);
  const one = written(endpoint.url, '{"id":"1"}');
  const text = await send(endpoint.url, one + written(endpoint.url, '{"id":"1"}', ['Connection: close']));
  expect(text).toMatch(/^HTTP\/1.1 201 [^]*HTTP\/1.1 202 /);
  expect((await ended(endpoint, 2)).map(({ number }) => number)).toEqual([1, 2]);
});

test('a peer that speaks HTTP to an IPv6 catcher is found by its address', async () => {
  const endpoint = (await start({ listen: { host: '::1', port: 0 } })).endpoint([{ do: 'reset', when: 'during' }]);
  const socket = connect({ host: '::1', port: Number(new URL(endpoint.url).port) }).on('error', () => {});
  await once(socket, 'connect');
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, '{"id":"1"}'));
  expect((await closed)[1]).toBe('ECONNRESET');
  expect((await until(endpoint, ({ length }) => length === 1))[0]?.peer).toBe('::1');
});
