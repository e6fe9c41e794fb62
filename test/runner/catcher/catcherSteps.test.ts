import { once } from 'node:events';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';

import { request } from 'undici';
import { expect, test } from 'vitest';

import type { CatchScript } from '../../../suites/exchange.ts';
import { connected, ended, post, until, untilClosed, useCatchers, written } from '../catchers.ts';

const start = useCatchers();
const ok = { do: 'respond', status: 200 } as const;
const body = '{"id":"1"}';

async function endpointWith(...script: CatchScript) {
  return (await start()).endpoint(script);
}

test.each([200, 201, 202, 203, 205, 206, 299, 300, 307, 399, 400, 404, 410, 429, 500, 503, 599, 999])(
  'answers %i at once, to node:http and to undici',
  async (status) => {
    const endpoint = await endpointWith({ do: 'respond', status, body: 'thanks' });
    const seen = await post(endpoint.url, body);
    expect(seen).toMatchObject({ status, body: 'thanks', error: '' });
    expect(seen.headers.join('\n')).toContain('Content-Length\n6');
    const answer = await request(endpoint.url, { method: 'POST', body });
    expect([answer.statusCode, await answer.body.text()]).toEqual([status, 'thanks']);
    expect((await ended(endpoint, 2)).map(({ end }) => end)).toMatchObject([
      { kind: 'answered', status },
      { kind: 'answered', status },
    ]);
  },
);

test.each([204, 304])('answers %i without a body', async (status) => {
  const endpoint = await endpointWith({ do: 'respond', status, body: 'no', bodyBytes: 100_000 });
  expect(await post(endpoint.url, body)).toMatchObject({ status, body: '', error: '' });
  expect((await ended(endpoint))[0]?.end).toMatchObject({ kind: 'answered', status });
});

test('answers HEAD without a body', async () => {
  const endpoint = await endpointWith({ do: 'respond', status: 200, body: 'no' });
  expect(await post(endpoint.url, '', { method: 'HEAD' })).toMatchObject({ status: 200, body: '', error: '' });
  expect((await ended(endpoint))[0]).toMatchObject({ method: 'HEAD', end: { kind: 'answered' } });
});

test('answers with headers as they are, such as a redirect', async () => {
  const headers = [
    ['LOCATION', 'http://127.0.0.1:1/elsewhere'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ] as const;
  const endpoint = await endpointWith({ do: 'respond', status: 308, headers });
  const seen = await post(endpoint.url, body);
  expect(seen.headers.slice(0, 6)).toEqual(headers.flat());
});

const asItIs = (body: Buffer): Buffer => body;

test.each([
  ['HTTP/1.0', 'HTTP/1.0 201 Created', asItIs],
  ['no reason', 'HTTP/1.1 201 \r\nContent-Length: 5\r\nConnection: close', asItIs],
  ['gzip', 'HTTP/1.1 201 Created\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\nConnection: close', gunzipSync],
  ['Latin-1', 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\nConnection: close', asItIs],
] as const)('answers in the form %s, and ends the connection', async (form, head, decoded) => {
  const endpoint = await endpointWith({ do: 'respond', status: 201, body: 'taken', form });
  const { hostname, port, pathname } = new URL(endpoint.url);
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 2\r\n\r\n{}`);
  const wire = Buffer.concat(await Array.fromAsync(socket));
  const end = wire.indexOf('\r\n\r\n');
  expect(wire.toString('latin1', 0, end)).toBe(head);
  expect(decoded(wire.subarray(end + 4)).toString()).toBe('taken');
  expect((await ended(endpoint))[0]?.end).toMatchObject({ kind: 'answered', status: 201 });
  expect(await post(endpoint.url, body)).toMatchObject({ status: 201, error: '' });
});

test('pads a body to its size, as fast as it is read', async () => {
  const size = 5_000_001;
  const endpoint = await endpointWith({ do: 'respond', status: 200, body: '{"a":1}', bodyBytes: size });
  const seen = await post(endpoint.url, body);
  expect(seen.body).toHaveLength(size);
  expect(JSON.parse(seen.body)).toEqual({ a: 1 });
  expect(seen.headers).toContain(String(size));
});

test('a body that is longer than its padding stays whole', async () => {
  const endpoint = await endpointWith({ do: 'respond', status: 200, body: 'caf\u00e9', bodyBytes: 2 });
  expect((await post(endpoint.url, body)).body).toBe('caf\u00e9');
});

test('waits before it answers', async () => {
  const endpoint = await endpointWith({ ...ok, delay: 60 });
  await post(endpoint.url, body);
  const [caught] = await ended(endpoint);
  expect((caught?.end?.at ?? 0) - (caught?.at ?? 0)).toBeGreaterThan(55);
});

test('hangs until its time is over, then resets', async () => {
  const endpoint = await endpointWith({ do: 'hang', ms: 60 }, ok);
  expect((await post(endpoint.url, body)).error).toBe('ECONNRESET');
  expect((await post(endpoint.url, body)).status).toBe(200);
  const [caught] = await ended(endpoint, 2);
  expect(caught).toMatchObject({ number: 1, key: '1', bytes: 10, end: { kind: 'reset' } });
  expect((caught?.end?.at ?? 0) - (caught?.at ?? 0)).toBeGreaterThan(55);
});

const waiting = [
  { do: 'hang' },
  { do: 'hang', ms: 60_000 },
  { ...ok, delay: 60_000 },
  { do: 'endless', status: 200, ms: 60_000 },
  { do: 'trickle', status: 200, every: 60_000, bytes: 9 },
  { do: 'slow-read', status: 200, ms: 60_000 },
] as const;

test.each(waiting)('a client that destroys its socket abandons $do at that moment', async (step) => {
  const endpoint = await endpointWith(step);
  const socket = await connected(endpoint.url);
  socket.write(written(endpoint.url, body));
  if (step.do !== 'slow-read') await until(endpoint, ({ length }) => length === 1);
  const before = performance.now();
  socket.destroy();
  const [caught] = await ended(endpoint);
  expect(caught).toMatchObject({ key: '1', bytes: 10, end: { kind: 'abandoned' } });
  expect(caught?.end?.at).toBeGreaterThanOrEqual(before);
  expect(caught?.end?.at).toBeLessThanOrEqual(performance.now());
});

test.each(waiting)('a client that resets its connection abandons $do at that moment', async (step) => {
  const endpoint = await endpointWith(step);
  const socket = await connected(endpoint.url);
  socket.write(written(endpoint.url, body));
  if (step.do !== 'slow-read') await until(endpoint, ({ length }) => length === 1);
  const before = performance.now();
  socket.resetAndDestroy();
  const [caught] = await ended(endpoint);
  expect(caught?.end?.kind).toBe('abandoned');
  expect(caught?.end?.at).toBeGreaterThanOrEqual(before);
});

test.each(waiting)('a client that ends its side abandons $do at that moment, and is let go', async (step) => {
  const endpoint = await endpointWith(step);
  const socket = await connected(endpoint.url);
  socket.write(written(endpoint.url, body));
  if (step.do !== 'slow-read') await until(endpoint, ({ length }) => length === 1);
  const before = performance.now();
  const closed = untilClosed(socket);
  socket.end();
  const [caught] = await ended(endpoint);
  await closed;
  expect(caught).toMatchObject({ key: '1', bytes: 10, end: { kind: 'abandoned' } });
  expect(caught?.end?.at).toBeGreaterThanOrEqual(before);
});

test('a client of undici that times out is seen to do so', async () => {
  const endpoint = await endpointWith({ do: 'hang' });
  const sent = request(endpoint.url, { method: 'POST', body, signal: AbortSignal.timeout(100) });
  await expect(sent).rejects.toThrow('timeout');
  const [caught] = await ended(endpoint);
  expect(caught?.end?.kind).toBe('abandoned');
  expect((caught?.end?.at ?? 0) - (caught?.at ?? 0)).toBeLessThan(20_000);
});

test('a client that ends its side with its request still gets an answer that comes at once', async () => {
  const endpoint = await endpointWith({ ...ok, body: 'x', bodyBytes: 3_000_000 });
  const socket = await connected(endpoint.url);
  const closed = untilClosed(socket);
  socket.end(written(endpoint.url, body, ['Connection: close']));
  const [text, error] = await closed;
  expect(error).toBe('');
  expect(text.length).toBeGreaterThan(3_000_000);
  expect((await ended(endpoint))[0]?.end?.kind).toBe('answered');
});

test('a client that breaks off its body is recorded with what came of it', async () => {
  const endpoint = await endpointWith(ok);
  for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const socket = await connected(endpoint.url);
    socket.write(written(endpoint.url, body, ['Expect: 100-continue']).slice(0, -4));
    await once(socket, 'data');
    socket[leave]();
    await ended(endpoint, endpoint.caught.length + 1);
  }
  expect(endpoint.caught.map(({ bytes, key, end }) => [bytes, key, end?.kind])).toEqual([
    [-1, '', 'abandoned'],
    [-1, '', 'abandoned'],
    [-1, '', 'abandoned'],
  ]);
  expect(endpoint.caught[0]?.body.toString()).toBe(body.slice(0, -4));
});

test.each([
  ['before', /^$/],
  ['during', /^HTTP\/1.1 200 OK\r\n((?!\r\n\r\n)[^])*$/],
  ['after', /^HTTP\/1.1 200 OK\r\n[^]*\r\nContent-Length: 64\r\n\r\n\.{32}$/],
] as const)('resets %s the answer', async (when, answer) => {
  const endpoint = await endpointWith({ do: 'reset', when }, ok);
  const socket = await connected(endpoint.url);
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, body));
  const [text, error] = await closed;
  expect(error).toBe('ECONNRESET');
  expect(text).toMatch(answer);
  expect((await ended(endpoint))[0]).toMatchObject({ key: '1', number: 1, bytes: 10, end: { kind: 'reset' } });
  expect((await post(endpoint.url, body)).status).toBe(200);
});

test.each([
  ['before', /^$/],
  ['during', /^HTTP\/1.1 $/],
] as const)('closes the connection %s the answer without a reset', async (when, answer) => {
  const endpoint = await endpointWith({ do: 'close', when }, ok);
  const socket = await connected(endpoint.url);
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, body));
  const [text, error] = await closed;
  expect(error).toBe('');
  expect(text).toMatch(answer);
  expect((await ended(endpoint))[0]).toMatchObject({ key: '1', number: 1, bytes: 10, end: { kind: 'closed' } });
  expect((await post(endpoint.url, body)).status).toBe(200);
});

test('an endless body goes on until its time is over, then breaks', async () => {
  const endpoint = await endpointWith({ do: 'endless', status: 202, ms: 80 });
  const seen = await post(endpoint.url, body);
  expect(seen).toMatchObject({ status: 202, error: 'ECONNRESET' });
  expect(seen.body.length).toBeGreaterThan(10_000);
  const [caught] = await ended(endpoint);
  expect(caught?.end?.kind).toBe('reset');
  expect((caught?.end?.at ?? 0) - (caught?.at ?? 0)).toBeGreaterThan(75);
});

test('an endless body stops at a bound of bytes, and waits for a peer that does not read', async () => {
  const before = process.memoryUsage.rss();
  const endpoint = await endpointWith({ do: 'endless', status: 200, ms: 60_000 });
  const deaf = await connected(endpoint.url);
  deaf.pause().write(written(endpoint.url, body));
  await until(endpoint, ({ length }) => length === 1);
  const reader = await connected(endpoint.url);
  let bytes = 0;
  const enough = Promise.withResolvers<void>();
  reader.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > 64 * 1024 * 1024) enough.resolve();
  });
  reader.write(written(endpoint.url, body));
  await enough.promise;
  expect(process.memoryUsage.rss() - before).toBeLessThan(512 * 1024 * 1024);
  reader.destroy();
  deaf.destroy();
  expect((await ended(endpoint, 2)).map(({ end }) => end?.kind)).toEqual(['abandoned', 'abandoned']);
});

test('trickles its body byte by byte', async () => {
  const endpoint = await endpointWith({ do: 'trickle', status: 200, every: 10, bytes: 6 });
  const socket = await connected(endpoint.url);
  let chunks = 0;
  socket.on('data', () => (chunks += 1));
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, body, ['Connection: close']));
  const [text] = await closed;
  expect(text).toMatch(/\r\nContent-Length: 6\r\n[^]*\r\n\r\n {6}$/);
  expect(chunks).toBeGreaterThan(3);
  const [caught] = await ended(endpoint);
  expect(caught?.end?.kind).toBe('answered');
  expect((caught?.end?.at ?? 0) - (caught?.at ?? 0)).toBeGreaterThan(50);
});

test('reads slowly, then answers', async () => {
  const endpoint = await endpointWith({ do: 'slow-read', status: 201, ms: 100 });
  const long = `{"id":"1"}${' '.repeat(8_000_000)}`;
  for (const text of [body, long]) expect((await post(endpoint.url, text)).status).toBe(201);
  const caught = await ended(endpoint, 2);
  expect(caught.map(({ bytes }) => bytes)).toEqual([10, 8_000_010]);
  for (const { at, end } of caught) expect((end?.at ?? 0) - at).toBeGreaterThan(95);
});

test('a peer with a large body feels that it is read slowly', async () => {
  const endpoint = await endpointWith({ do: 'slow-read', status: 200, ms: 60_000 });
  const socket = await connected(endpoint.url);
  const long = ' '.repeat(15_000_000);
  let isWritten = false;
  socket.write(written(endpoint.url, long), () => (isWritten = true));
  const other = (await start()).endpoint([ok]);
  expect((await post(other.url, long)).status).toBe(200);
  expect(isWritten).toBe(false);
  socket.destroy();
});

test('reads at once where the step depends on the key, and answers as late as a slow reading would', async () => {
  const endpoint = await endpointWith({ do: 'slow-read', status: 201, ms: 400 }, ok);
  const statuses = [];
  for (const id of [1, 1, 2]) statuses.push((await post(endpoint.url, `{"id":"${id}"}`)).status);
  expect(statuses).toEqual([201, 200, 201]);
  const times = (await ended(endpoint, 3)).map(({ at, end }) => (end?.at ?? 0) - at > 390);
  expect(times).toEqual([true, false, true]);
});
