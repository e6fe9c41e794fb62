import type { RequestListener, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

import { describe, expect, test, it } from 'vitest';

import { type Probe, ProbeError } from '../../../runner/receiver/probe.ts';
import { makeCertificate } from '../certificate.ts';
import { useTargets } from '../targets.ts';
import { createProbe } from '../../../runner/receiver/createProbe.ts';

const targets = useTargets();

function open(...args: Parameters<typeof createProbe>): Probe {
  const probe = createProbe(...args);
  targets.closeAfterwards(() => probe.close());
  return probe;
}

async function probeOf(listener: RequestListener): Promise<Probe> {
  const { origin } = await targets.http(listener);
  return open(`${origin}/effects/{id}?id={id}`);
}

describe('a URL', () => {
  test('is asked for each id, many at once', async () => {
    const urls: string[] = [];
    let inFlight = 0;
    let most = 0;
    const probe = await probeOf((request, response) => {
      most = Math.max(most, ++inFlight);
      urls.push(request.url ?? '');
      setImmediate(() => {
        inFlight -= 1;
        response.end(JSON.stringify({ count: urls.length > 0 ? 2 : 0, more: true }));
      });
    });
    const ids = ['a/b?', ...Array.from({ length: 99 }, (_, index) => `id-${index}`)];
    expect(await probe.count(ids)).toEqual(new Map(ids.map((id) => [id, 2])));
    expect(urls).toContain('/effects/a%2Fb%3F?id=a%2Fb%3F');
    expect(urls).toHaveLength(100);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
    expect(probe.silence).toBeUndefined();
  });

  test('404 counts as 0, and is no count', async () => {
    const probe = await probeOf((_, response) => void response.writeHead(404).end('nothing here'));
    expect(await probe.count(['a', 'b'])).toEqual(
      new Map([
        ['a', 0],
        ['b', 0],
      ]),
    );
    expect(probe.silence).toMatch(/asked GET http:.*\/effects\/[ab]\?id=[ab], and answered 404 with "nothing here"/);
  });

  test.each([
    [500, '{"count":1}'],
    [302, ''],
    [201, '{"count":1}'],
    [200, 'not JSON'],
    [200, '{"count":"1"}'],
    [200, '{"count":-1}'],
    [200, '{"count":1.5}'],
    [200, '[1]'],
    [200, 'null'],
    [429, 'too many'],
  ])('the answer %d %s is an error that shows it', async (status, text) => {
    const probe = await probeOf((_, response) => void response.writeHead(status).end(text));
    const error: unknown = await probe.count(['a']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProbeError);
    const { message } = error as ProbeError;
    expect(message).toContain(`answered ${status} with ${JSON.stringify(text)}`);
    expect(message).toContain('{"count": n}');
    expect(message).toMatch(status === 429 ? /a limit of requests/ : /curl -i 'http:.*\/effects\/a\?id=a'/);
  });

  test('that nobody listens at is an error', async () => {
    const server = await targets.raw(() => {});
    await server.close();
    const probe = open(`http://127.0.0.1:${server.url.port}/{id}`);
    await expect(probe.count(['a'])).rejects.toThrow('could not be asked (ECONNREFUSED)');
  });

  test('is asked again where a kept connection had been closed', async () => {
    let requests = 0;
    const server = await targets.raw((socket) => {
      socket.on('data', () => {
        requests += 1;
        if (requests === 2) socket.end();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"count":3}');
      });
    });
    const probe = open(`http://127.0.0.1:${server.url.port}/{id}`);
    expect(await probe.count(['a'])).toEqual(new Map([['a', 3]]));
    expect(await probe.count(['b'])).toEqual(new Map([['b', 3]]));
    expect(requests).toBe(3);
  });

  test('is asked until no kept connection is left, where the server closes all without a word', async () => {
    let connections = 0;
    const server = await targets.raw((socket) => {
      let requests = 0;
      connections += 1;
      socket.on('data', () => {
        requests += 1;
        if (requests > 1) socket.end();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"count":3}');
      });
    });
    const probe = open(`http://127.0.0.1:${server.url.port}/{id}`);
    const ids = Array.from({ length: 16 }, (_, index) => `id-${index}`);
    expect([...(await probe.count(ids)).values()]).toEqual(ids.map(() => 3));
    for (const some of [ids.slice(8), ids.slice(2), ids]) {
      expect([...(await probe.count(some)).values()]).toEqual(some.map(() => 3));
    }
    expect(connections).toBeGreaterThan(16);
  });

  test('over TLS is trusted like the target', async () => {
    const certificate = await makeCertificate();
    targets.closeAfterwards(() => certificate.remove());
    const { key, cert } = certificate;
    const server = createSecureServer({ key, cert }, (_, response) => void response.end('{"count":1}'));
    const { port } = await targets.listen(server as unknown as Server, 'https');
    const template = `https://localhost:${port}/{id}`;
    await expect(open(template).count(['a'])).rejects.toThrow('DEPTH_ZERO_SELF_SIGNED_CERT');
    const trust = { ca: certificate.cert, insecure: false };
    expect(await open(template, trust).count(['a'])).toEqual(new Map([['a', 1]]));
    expect(await open(template, { insecure: true }).count(['a'])).toEqual(new Map([['a', 1]]));
  });

  test.each(['http://localhost:1/effects', 'https://'])('%s cannot be used', (spec) => {
    expect(() => createProbe(spec)).toThrow(ProbeError);
    expect(() => createProbe(spec)).toThrow('Write it like http://localhost:3000/effects/{id}');
  });
});

describe('a command', () => {
  test('gets ids on standard input and prints their counts', async () => {
    const probe = open(`while read id; do echo "$id \${#id}"; done; echo; echo 'other 7'`);
    expect(await probe.count(['a', 'bb', 'ccc'])).toEqual(
      new Map([
        ['a', 1],
        ['bb', 2],
        ['ccc', 3],
      ]),
    );
    expect(await probe.count([])).toEqual(new Map());
  });

  test('an id that it does not print has no effects', async () => {
    expect(await open('head -n 1 | sed "s/$/ 1/"').count(['a', 'b'])).toEqual(
      new Map([
        ['a', 1],
        ['b', 0],
      ]),
    );
  });

  test.each([
    ['echo a', 'printed the line "a", which cannot be read'],
    ['echo a b', 'printed the line "a b", which cannot be read'],
    ['echo a -1', 'printed the line "a -1", which cannot be read'],
    ['echo a 1 2', 'printed the line "a 1 2", which cannot be read'],
    ['echo a 1; echo a 1', 'printed the line "a 1", which counts an id for the second time'],
    ['echo a 1; echo oh no >&2; exit 4', 'ended with exit code 4 and said: oh no'],
    ['kill -9 $$', 'ended with SIGKILL and said nothing'],
    ['no-such-program-here', 'ended with exit code 127'],
    ['/effects', 'write it with {id}: /effects/{id}'],
  ])('%s is an error that says why', async (command, why) => {
    const error: unknown = await open(command)
      .count(['a'])
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProbeError);
    const { message } = error as ProbeError;
    expect(message).toContain(why);
    expect(message).toContain('"<id> <count>"');
    expect(message).toContain(`echo a | ${command}`);
  });

  test('is killed by close', async () => {
    const probe = createProbe('sleep 300');
    const counting = probe.count(['a']);
    await probe.close();
    await expect(counting).rejects.toThrow('SIGKILL');
  });
});

describe('a probe that is a function', () => {
  it.each([
    ['a number', (id: string) => id.length],
    ['a promise', async (id: string) => Promise.resolve(id.length)],
  ])('counts each id by %s', async (_, count) => {
    const probe = createProbe(count);
    expect(await probe.count(['a', 'bcd'])).toEqual(
      new Map([
        ['a', 1],
        ['bcd', 3],
      ]),
    );
  });

  it.each([
    ['a text', () => '3' as unknown as number, 'with the id a, and returned "3"'],
    ['nothing', () => undefined as unknown as number, 'and returned undefined'],
    ['less than nothing', () => -1, 'and returned -1'],
    ['an error', () => Promise.reject(new Error('no such table')), 'and failed: no such table'],
  ])('is an error where it gives %s', async (_, count, message) => {
    const counted = createProbe(count).count(['a']);
    await expect(counted).rejects.toThrow(ProbeError);
    await expect(counted).rejects.toThrow(message);
  });
});
