import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { promisify } from 'node:util';

import { Agent, request } from 'undici';
import { expect, test } from 'vitest';

import { freePort } from '../../../runner/catcher/freePort.ts';
import type { CatchScript } from '../../../suites/exchange.ts';
import { connected, ended, post, until, untilClosed, useCatchers, written } from '../catchers.ts';

const start = useCatchers();
const ok = [{ do: 'respond', status: 200 }] as const satisfies CatchScript;

test('records a request whole, with the casing and the order of its headers', async () => {
  const endpoint = (await start()).endpoint(ok);
  const socket = await connected(endpoint.url);
  const body = '{"id": "caf\u00e9"}';
  socket.end(written(`${endpoint.url}`, body, ['x-ODD-casing: 1', 'Accept:   */*', 'X-odd-Casing: 2']));
  const [caught] = await ended(endpoint);
  const { host, port, pathname } = new URL(endpoint.url);
  expect(port).not.toBe('');
  expect(caught).toMatchObject({
    kind: 'caught',
    endpoint: endpoint.name,
    method: 'POST',
    path: pathname,
    headers: [
      ['Host', host],
      ['x-ODD-casing', '1'],
      ['Accept', '*/*'],
      ['X-odd-Casing', '2'],
      ['Content-Length', '15'],
    ],
    bytes: 15,
    peer: '127.0.0.1',
    key: 'caf\u00e9',
    number: 1,
    step: { do: 'respond', status: 200 },
    end: { kind: 'answered', status: 200 },
  });
  expect(caught?.body.toString()).toBe(body);
  expect(caught?.end?.at).toBeGreaterThanOrEqual(caught?.at ?? Number.NaN);
});

test('keeps the path as it was sent, and the method', async () => {
  const endpoint = (await start()).endpoint(ok);
  await post(`${endpoint.url}?a=%7e&a=b`, '{"id":"1"}', { method: 'PUT' });
  await post(endpoint.url, '', { method: 'GET' });
  const socket = await connected(endpoint.url);
  socket.end(written(endpoint.url, '').replace(/ \S+ /, ` ${endpoint.url}#x `));
  const caught = await ended(endpoint, 3);
  const { pathname } = new URL(endpoint.url);
  expect(caught.map(({ method, path }) => [method, path])).toEqual([
    ['PUT', `${pathname}?a=%7e&a=b`],
    ['GET', pathname],
    ['POST', `${endpoint.url}#x`],
  ]);
});

test('numbers the attempts of each key, and gives each number its step; the last step holds', async () => {
  const endpoint = (await start()).endpoint([
    { do: 'respond', status: 500 },
    { do: 'respond', status: 410 },
    { do: 'respond', status: 202 },
  ]);
  const statuses: number[] = [];
  for (const id of ['a', 'b', 'a', 'a', 'b', 'a']) statuses.push((await post(endpoint.url, `{"id":"${id}"}`)).status);
  expect(statuses).toEqual([500, 500, 410, 202, 410, 202]);
  expect((await ended(endpoint, 6)).map(({ key, number }) => `${key}${number}`)).toEqual([
    'a1',
    'b1',
    'a2',
    'a3',
    'b2',
    'a4',
  ]);
});

test('what comes after the first notification gets a script of its own', async () => {
  const endpoint = (await start()).endpoint(ok);
  endpoint.setScript([{ do: 'respond', status: 500 }], [{ do: 'respond', status: 429 }, ...ok]);
  const statuses: number[] = [];
  for (const id of ['a', 'b', 'a', 'b', 'c']) statuses.push((await post(endpoint.url, `{"id":"${id}"}`)).status);
  expect(statuses).toEqual([500, 429, 500, 200, 429]);
});

test('a body without a key, or one on which the key throws, has an empty key', async () => {
  const endpoint = (await start()).endpoint(ok);
  await post(endpoint.url, 'no JSON');
  await post(endpoint.url, '');
  expect((await ended(endpoint, 2)).map(({ key, number }) => [key, number])).toEqual([
    ['', 1],
    ['', 2],
  ]);
});

test('endpoints of one catcher do not touch each other, also at once', async () => {
  const catcher = await start();
  const endpoints = Array.from({ length: 2000 }, (_, index) =>
    catcher.endpoint([{ do: 'respond', status: 200 + (index % 7) }]),
  );
  const agent = new Agent({ connections: 200 });
  const statuses = await Promise.all(
    endpoints.map(async ({ url }, index) => {
      const answer = await request(url, { method: 'POST', body: `{"id":"${index}"}`, dispatcher: agent });
      await answer.body.dump();
      return answer.statusCode;
    }),
  );
  await agent.close();
  expect(statuses).toEqual(endpoints.map((_, index) => 200 + (index % 7)));
  expect(endpoints.map(({ caught }) => caught.map(({ key }) => key))).toEqual(
    endpoints.map((_, index) => [`${index}`]),
  );
  expect(new Set(endpoints.map(({ name }) => name)).size).toBe(2000);
  expect(catcher.strays).toBe(0);
});

test('keeps connections alive, and thousands of them open at once', async () => {
  const catcher = await start();
  const endpoint = catcher.endpoint([{ do: 'hang' }]);
  const sockets = await Promise.all(Array.from({ length: 2000 }, () => connected(endpoint.url)));
  sockets.forEach((socket, index) => socket.write(written(endpoint.url, `{"id":"${index}"}`)));
  await until(endpoint, ({ length }) => length === 2000);
  const other = catcher.endpoint(ok);
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
  const heads = [await post(other.url, '{"id":"1"}', { agent }), await post(other.url, '{"id":"2"}', { agent })];
  expect(heads.map(({ status }) => status)).toEqual([200, 200]);
  expect(heads[0]?.headers).toContain('keep-alive');
  agent.destroy();
  sockets.forEach((socket) => socket.destroy());
  expect((await ended(endpoint, 2000)).every(({ end }) => end?.kind === 'abandoned')).toBe(true);
});

test('lists attempts in the order of their heads, though their bodies end in another', async () => {
  const endpoint = (await start()).endpoint(ok);
  const first = await connected(endpoint.url);
  const [head = '', body = ''] = written(endpoint.url, '{"id":"first"}', ['Expect: 100-continue']).split(/(?=\{)/);
  first.write(head);
  await once(first, 'data');
  await post(endpoint.url, '{"id":"second"}');
  expect(endpoint.caught.map(({ key }) => key)).toEqual(['second']);
  first.end(body);
  const caught = await ended(endpoint, 2);
  expect(caught.map(({ key }) => key)).toEqual(['first', 'second']);
  expect(caught[0]?.at).toBeLessThan(caught[1]?.at ?? 0);
});

test('reports each attempt when it has arrived and when it has ended, until nobody listens', async () => {
  const endpoint = (await start()).endpoint(ok);
  const reported: string[] = [];
  const off = endpoint.on(({ key, end }) => reported.push(`${key} ${end?.kind}`));
  await post(endpoint.url, '{"id":"1"}');
  await ended(endpoint, 1);
  off();
  await post(endpoint.url, '{"id":"2"}');
  await ended(endpoint, 2);
  expect(reported).toEqual(['1 undefined', '1 answered']);
});

test('another script holds for what arrives from then on', async () => {
  const endpoint = (await start()).endpoint([{ do: 'respond', status: 500 }]);
  expect((await post(endpoint.url, '{"id":"1"}')).status).toBe(500);
  endpoint.setScript([{ do: 'respond', status: 404 }, ...ok]);
  expect((await post(endpoint.url, '{"id":"1"}')).status).toBe(200);
});

test.each([
  ['a status', { do: 'respond', status: 42 }, RangeError],
  ['a time', { do: 'hang', ms: 2 ** 31 }, RangeError],
  ['a number', { do: 'trickle', status: 200, every: Number.NaN, bytes: 1 }, RangeError],
  ['a header', { do: 'respond', status: 200, headers: [['X', 'a\r\nb']] }, TypeError],
] as const)('refuses a script with %s that cannot be played', async (_, step, kind) => {
  const catcher = await start();
  expect(() => catcher.endpoint([step])).toThrow(kind);
  expect(() => catcher.endpoint(ok).setScript([...ok, step])).toThrow(kind);
});

test('counts requests to no endpoint as strays, also to one that is closed', async () => {
  const catcher = await start();
  const endpoint = catcher.endpoint(ok);
  await post(endpoint.url, '{"id":"1"}');
  endpoint.close();
  const statuses = [
    (await post(endpoint.url, '{"id":"1"}')).status,
    (await post(`${catcher.origin}/`)).status,
    (await post(`${endpoint.url}/x`, 'x'.repeat(100_000))).status,
  ];
  expect(statuses).toEqual([404, 404, 404]);
  expect(catcher.strays).toBe(3);
  expect(endpoint.caught).toHaveLength(1);
});

test('keeps the beginning of a long body and counts the rest', async () => {
  const endpoint = (await start({ bodyLimit: 10 })).endpoint(ok);
  await post(endpoint.url, `{"id":"1"}${' '.repeat(3_000_000)}`);
  const [caught] = await ended(endpoint);
  expect(caught).toMatchObject({ bytes: 3_000_010, key: '1' });
  expect(caught?.body.toString()).toBe('{"id":"1"}');
});

test('cuts off a body that does not end', async () => {
  const endpoint = (await start()).endpoint(ok);
  const seen = await post(endpoint.url, Buffer.alloc(40 * 1024 * 1024, 'x'));
  const [caught] = await ended(endpoint);
  expect(seen.error).toMatch(/^(ECONNRESET|EPIPE)$/);
  expect(caught).toMatchObject({ bytes: -1, end: { kind: 'reset' } });
  expect(caught?.body).toHaveLength(1024 * 1024);
});

test('keeps so many attempts, answers further ones and counts them', async () => {
  const endpoint = (await start({ attemptLimit: 3 })).endpoint([{ do: 'respond', status: 500 }, ...ok]);
  let reported = 0;
  endpoint.on(() => (reported += 1));
  const statuses: number[] = [];
  for (const id of [1, 2, 3, 4, 5, 1]) statuses.push((await post(endpoint.url, `{"id":"${id}"}`)).status);
  await ended(endpoint, 3);
  expect(statuses).toEqual([500, 500, 500, 500, 500, 200]);
  expect(endpoint.caught.map(({ key }) => key)).toEqual(['1', '2', '3']);
  expect(endpoint.dropped).toBe(3);
  expect(reported).toBe(6);
});

test('keeps so many bytes over all its endpoints, and more once it may forget some', async () => {
  const catcher = await start({ keptLimit: 39_000 });
  const [first, second, third] = [catcher.endpoint(ok), catcher.endpoint(ok), catcher.endpoint(ok)];
  const body = JSON.stringify({ id: '1', padding: 'x'.repeat(12_000) });
  for (const { url } of [first, second]) expect(await post(url, body)).toMatchObject({ status: 200 });
  expect(catcher).toMatchObject({ isCrowded: true, crowdedOut: 0 });
  expect((await post(third.url, body)).status).toBe(200);
  expect((await post(third.url, JSON.stringify({ id: '2', padding: 'x'.repeat(20_000) }))).error).toBeDefined();
  expect([first, second].map(({ caught }) => caught.length)).toEqual([1, 1]);
  expect(third.caught).toMatchObject([{ bytes: -1 }]);
  expect(catcher.crowdedOut).toBe(2);
  catcher.forget(first.name);
  second.close();
  expect(catcher.isCrowded).toBe(false);
  for (const id of [3, 4]) await post(first.url, JSON.stringify({ id: String(id), padding: 'x'.repeat(12_000) }));
  expect(first.caught.map(({ key }) => key)).toEqual(['3', '4']);
  expect(catcher.crowdedOut).toBe(2);
});

test.runIf(process.platform === 'linux')('takes several new connections in each round of the event loop', async () => {
  const endpoint = (await start()).endpoint(ok);
  let rounds = 0;
  const count = (): void => {
    rounds += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const answers = await Promise.all(Array.from({ length: 320 }, (_, id) => post(endpoint.url, JSON.stringify({ id }))));
  clearImmediate(next);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(rounds).toBeLessThan(answers.length / 2);
});

test('an endpoint elsewhere takes one request a connection', async () => {
  const { endpoint } = (await (await start()).elsewhere(ok))!;
  const agent = new HttpAgent({ keepAlive: true });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  httpRequest(endpoint.url, { method: 'POST', agent }, ({ headers }) => resolve(headers.connection)).end();
  expect(await promise).toBe('close');
});

test('refuses connections until it is opened, then is like any endpoint', async () => {
  const catcher = await start();
  const refusing = await catcher.refusing([{ do: 'respond', status: 201 }]);
  expect(new URL(refusing.url).origin).not.toBe(catcher.origin);
  expect((await post(refusing.url)).error).toBe('ECONNREFUSED');
  const endpoint = await refusing.open();
  expect(endpoint.url).toBe(refusing.url);
  expect(await refusing.open()).toBe(endpoint);
  expect((await post(refusing.url, '{"id":"1"}')).status).toBe(201);
  expect((await ended(endpoint)).map(({ key }) => key)).toEqual(['1']);
  await refusing.close();
  expect((await post(refusing.url)).error).toBe('ECONNREFUSED');
});

test('many endpoints refuse at ports of their own', async () => {
  const catcher = await start();
  const refusing = await Promise.all(Array.from({ length: 20 }, () => catcher.refusing(ok)));
  expect(new Set(refusing.map(({ url }) => new URL(url).port)).size).toBe(20);
  await Promise.all(refusing.map((endpoint) => endpoint.open()));
  expect(await Promise.all(refusing.map(async ({ url }) => (await post(url)).status))).toEqual(refusing.map(() => 200));
});

test('puts its endpoints below the address at which services reach it', async () => {
  const catcher = await start({ address: new URL('https://hooks.example/base?x=1') });
  const { url, name } = catcher.endpoint(ok);
  expect(url).toBe(`https://hooks.example/base/${name}`);
  expect(catcher.origin).toBe('https://hooks.example');
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(catcher.canRefuse).toBe(false);
  await expect(catcher.refusing(ok)).rejects.toThrow('https://hooks.example');
});

test('an endpoint is found whatever a tunnel puts before its name, or takes away', async () => {
  const port = await freePort('127.0.0.1', new Set());
  const catcher = await start({
    listen: { host: '127.0.0.1', port },
    address: new URL(`http://localhost:${port}/base/`),
  });
  const endpoint = catcher.endpoint(ok);
  expect(catcher.canRefuse).toBe(true);
  expect((await post(endpoint.url)).status).toBe(200);
  expect((await post(`http://127.0.0.1:${port}/${endpoint.name}`)).status).toBe(200);
  expect((await ended(endpoint, 2)).map(({ path }) => path)).toEqual([`/base/${endpoint.name}`, `/${endpoint.name}`]);
});

test.each(['::1', '::', '0.0.0.0', 'localhost'])('listens on %s', async (host) => {
  const endpoint = (await start({ listen: { host, port: 0 } })).endpoint(ok);
  expect((await post(endpoint.url, '{"id":"1"}')).status).toBe(200);
  expect((await ended(endpoint))[0]?.peer).toMatch(host.includes(':') ? /^::1$/ : /^(127\.0\.0\.1|::1)$/);
});

test('a peer that comes by IPv4 to an IPv6 socket has its IPv4 address', async () => {
  const endpoint = (await start({ listen: { host: '::', port: 0 } })).endpoint(ok);
  await post(endpoint.url.replace('[::1]', '127.0.0.1'));
  expect((await ended(endpoint))[0]?.peer).toBe('127.0.0.1');
});

test('fails where it cannot listen', async () => {
  const { origin } = await start();
  await expect(start({ listen: { host: '127.0.0.1', port: Number(new URL(origin).port) } })).rejects.toThrow(
    'EADDRINUSE',
  );
});

test('closing cuts off what is going on, reports no end of it, and may be done again', async () => {
  const catcher = await start();
  const endpoint = catcher.endpoint([{ do: 'hang', ms: 60_000 }]);
  const socket = await connected(endpoint.url);
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, '{"id":"1"}'));
  await until(endpoint, ({ length }) => length === 1);
  await catcher.close();
  await catcher.close();
  await closed;
  expect(endpoint.caught.map(({ end }) => end)).toEqual([undefined]);
  expect((await post(endpoint.url)).error).toBe('ECONNREFUSED');
});

test('closing leaves nothing that keeps the process', async () => {
  const script = `
    const { createCatcher } = await import('./runner/catcher/catcher.ts');
    const catcher = await createCatcher({ protocol: 'http', keyOf: () => '', elapsed: () => performance.now() });
    for (const step of [
      { do: 'hang', ms: 600000 },
      { do: 'respond', status: 200, delay: 600000 },
      { do: 'endless', status: 200, ms: 600000 },
      { do: 'trickle', status: 200, every: 600000, bytes: 10 },
      { do: 'slow-read', ms: 600000, status: 200 },
    ]) {
      const arrived = Promise.withResolvers();
      const endpoint = catcher.endpoint([step]);
      endpoint.on(arrived.resolve);
      fetch(endpoint.url, { method: 'POST', body: '{}' }).catch(() => {});
      if (step.do !== 'slow-read') await arrived.promise;
    }
    await (await catcher.refusing([{ do: 'hang' }])).open();
    await catcher.close();
    process.on('exit', () => {
      console.log(process.getActiveResourcesInfo().filter((name) => /Server|Timeout/.test(name)).join());
    });
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 15_000,
  });
  expect(stdout.trim()).toBe('');
});
