import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import { body, byHand, delivery, head, outcome } from '../deliveries.ts';
import { ok, received } from '../rawServer.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets();

describe('a plain delivery', () => {
  test('arrives as it was made: method, target, header casing, bytes', async () => {
    const seen: { method?: string; url?: string; headers?: readonly string[]; body?: string } = {};
    const url = await targets.http((request, response) => {
      void text(request).then((content) => {
        const { method = '', url: target = '', rawHeaders } = request;
        Object.assign(seen, { method, url: target, headers: rawHeaders, body: content });
        response.writeHead(202, [['X-Answer-Casing', 'Yes']] as never).end('taken');
      });
    });
    const answer = await targets.deliverer(url).deliver(
      delivery({
        body: Buffer.from('{ "ü" :1}'),
        headers: [
          ['x-ODD-Signature', 'AbC'],
          ['CONTENT-type', 'a/b'],
        ],
      }),
    );
    expect(answer).toMatchObject({ kind: 'answered', status: 202, body: 'taken' });
    expect(answer.kind === 'answered' && answer.headers).toContainEqual(['X-Answer-Casing', 'Yes']);
    expect(answer.ms).toBeGreaterThan(0);
    expect(seen).toMatchObject({ method: 'POST', url: '/hooks?a=1', body: '{ "ü" :1}' });
    const sent = seen.headers ?? [];
    expect(sent.join(' ')).toContain('x-ODD-Signature AbC CONTENT-type a/b');
    expect(sent.map((name) => name.toLowerCase())).not.toContain('user-agent');
    expect(sent[sent.findIndex((name) => name.toLowerCase() === 'content-length') + 1]).toBe('10');
  });

  test('carries the custom headers, unless it has its own of that name', async () => {
    let headers: readonly string[] = [];
    const url = await targets.http((request, response) => {
      headers = request.rawHeaders;
      request.resume().on('end', () => response.end());
    });
    const deliverer = targets.deliverer(url, {
      headers: [
        ['X-Tenant', '7'],
        ['X-Mine', 'custom'],
      ],
    });
    for (const made of [
      delivery({ headers: [['x-mine', 'own']] }),
      byHand([head, body], { headers: [['x-mine', 'own']] }),
    ]) {
      await deliverer.deliver(made);
      expect(headers).toEqual(expect.arrayContaining(['X-Tenant', '7', 'x-mine', 'own']));
      expect(headers).not.toContain('X-Mine');
    }
  });

  test('what undici refuses to write is written by hand', async () => {
    let request: IncomingMessage | undefined;
    const url = await targets.http((incoming, response) => {
      request = incoming;
      incoming.resume().on('end', () => response.end());
    });
    const answer = await targets.deliverer(url).deliver(
      delivery({
        headers: [
          ['Expect', '100-continue'],
          ['X-Sig', '\u2713'],
        ],
      }),
    );
    expect(outcome(answer)).toBe(200);
    expect(request?.headers.expect).toBe('100-continue');
    expect(Buffer.from(String(request?.headers['x-sig']), 'latin1').toString('utf8')).toBe('\u2713');
  });

  test('what undici refuses to write leaves the pool as it was: others go over it', async () => {
    const connections = new Set<Socket>();
    const url = await targets.http((request, response) => {
      connections.add(request.socket);
      request.resume().on('end', () => response.end());
    });
    const deliverer = targets.deliverer(url, { concurrency: 1 });
    await deliverer.deliver(delivery());
    await deliverer.deliver(delivery({ headers: [['X-Sig', '\u2713']] }));
    expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    expect(connections.size).toBe(2);
  });

  test('arrives where its connection is reset right after an answer, as Fastify does after a head that is too long', async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => response.end());
    });
    server.on('clientError', (_, socket) => {
      socket.write('HTTP/1.1 431 Too Long\r\nContent-Length: 0\r\n\r\n');
      socket.destroy();
    });
    const deliverer = targets.deliverer(await targets.listen(server), { concurrency: 1 });
    for (let sent = 0; sent < 3; sent++) {
      expect(outcome(await deliverer.deliver(delivery({ headers: [['X-Long', 'x'.repeat(100_000)]] })))).toBe(431);
      expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    }
  });

  test('does not follow redirects', async () => {
    let requests = 0;
    const url = await targets.http((request, response) => {
      requests += 1;
      request.resume().on('end', () => response.writeHead(307, { location: '/hooks/' }).end());
    });
    expect(outcome(await targets.deliverer(url).deliver(delivery()))).toBe(307);
    expect(requests).toBe(1);
  });

  test('times out from its start to the end of the answer', async () => {
    const url = await targets.http((request, response) => {
      if (request.headers['x-begin'] === 'yes') response.write('be');
    });
    const deliverer = targets.deliverer(url, { timeout: 50 });
    const answers = await Promise.all([
      deliverer.deliver(delivery()),
      deliverer.deliver(delivery({ headers: [['X-Begin', 'yes']] })),
    ]);
    expect(answers.map(outcome)).toEqual(['timed-out', 'timed-out']);
    expect(answers.every(({ ms }) => ms > 40 && ms < 1000)).toBe(true);
  });

  test('breaks an endless answer off, which has no end for a sender either', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await targets.http((request, response) => {
      response.on('close', () => closed.resolve());
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', more);
      request.resume().on('end', more);
    });
    const answer = await targets.deliverer(url, { maxAnswer: 1_000_000 }).deliver(delivery());
    expect(answer).toMatchObject({ kind: 'timed-out', status: 200, cut: 1_000_000 });
    await closed.promise;
  });

  test('an abort breaks it off, also while it waits for a slot', async () => {
    const controller = new AbortController();
    const url = await targets.http(() => controller.abort());
    const deliverer = targets.deliverer(url, { concurrency: 1 });
    const answers = await Promise.all([1, 2].map(() => deliverer.deliver(delivery(), controller.signal)));
    expect(answers.map(outcome)).toEqual(['ABORTED_BY_KIT', 'ABORTED_BY_KIT']);
    expect(outcome(await deliverer.deliver(delivery(), controller.signal))).toBe('ABORTED_BY_KIT');
  });

  test.each([
    ['closed without an answer', '', 'CLOSED'],
    ['closed within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab', 'TRUNCATED'],
    ['closed within the head', 'HTTP/1.1 200 OK\r\nConte', 'TRUNCATED'],
    ['closed within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', 'TRUNCATED'],
    [
      'closed within the last chunk',
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
      'TRUNCATED',
    ],
    ['another protocol', '220 mail.example ESMTP\r\n', 'NOT_HTTP'],
  ])('a connection that is broken (%s) says how', async (_, answer, code) => {
    const { url } = await targets.raw((socket) => socket.once('data', () => socket.end(answer)));
    expect(outcome(await targets.deliverer(url).deliver(delivery()))).toBe(code);
  });

  test('a reset and a refused connection carry the code of the system', async () => {
    const server = await targets.raw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const deliverer = targets.deliverer(server.url);
    expect(outcome(await deliverer.deliver(delivery()))).toBe('ECONNRESET');
    expect(await deliverer.reachable()).toBe(true);
    server.server.close();
    await once(server.server, 'close');
    expect(outcome(await deliverer.deliver(delivery()))).toBe('ECONNREFUSED');
    expect(await deliverer.reachable()).toBe(false);
  });
});

describe('a kept connection', () => {
  test('is used again', async () => {
    const ports = new Set<number | undefined>();
    const url = await targets.http((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume().on('end', () => response.end());
    });
    const deliverer = targets.deliverer(url, { concurrency: 1 });
    for (let index = 0; index < 5; index++) await deliverer.deliver(delivery());
    expect(ports.size).toBe(1);
  });

  test.each([
    ['ends', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])('that the target %s instead of answering again is replaced by a fresh one', async (_, give) => {
    let requests = 0;
    const { url, sockets } = await targets.raw((socket, index) => {
      socket.on('data', () => {
        requests += 1;
        if (index === 0 && requests === 2) give(socket);
        else socket.write(ok);
      });
    });
    const deliverer = targets.deliverer(url, { concurrency: 1 });
    expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    expect(sockets).toHaveLength(2);
    expect(requests).toBe(3);
  });

  test('is avoided once four were silent that had answered before', async () => {
    const served = new WeakSet<Socket>();
    const url = await targets.http((request, response) => {
      if (!served.has(request.socket)) request.resume().on('end', () => response.end());
      served.add(request.socket);
    });
    const deliverer = targets.deliverer(url, { concurrency: 1, timeout: 400 });
    const outcomes: unknown[] = [];
    for (let index = 0; index < 12; index++) outcomes.push(outcome(await deliverer.deliver(delivery())));
    const silent = Array.from({ length: 4 }, () => [200, 'timed-out']).flat();
    expect(outcomes).toEqual([...silent, 200, 200, 200, 200]);
  });

  test('is not replaced a second time, nor within an answer', async () => {
    const { url, sockets } = await targets.raw((socket, index) => {
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        if (index === 0 && requests === 1) socket.write(ok);
        else if (index === 2 && requests === 2) socket.end('HTTP/1.1 2');
        else if (index === 2) socket.write(ok);
        else socket.end();
      });
    });
    const deliverer = targets.deliverer(url, { concurrency: 1 });
    expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    expect(outcome(await deliverer.deliver(delivery()))).toBe('CLOSED');
    expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    expect(outcome(await deliverer.deliver(delivery()))).toBe('TRUNCATED');
    expect(sockets).toHaveLength(3);
  });

  test('is not used for a body of more than 1 MiB, which arrives whole', async () => {
    const seen: (readonly [port: number | undefined, bytes: number])[] = [];
    const url = await targets.http((request, response) => {
      void text(request).then((content) => {
        seen.push([request.socket.remotePort, content.length]);
        response.end();
      });
    });
    const deliverer = targets.deliverer(url, { concurrency: 1 });
    const large = delivery({ body: Buffer.alloc(3 * 1024 * 1024, 'x') });
    for (const made of [delivery(), large, delivery()]) expect(outcome(await deliverer.deliver(made))).toBe(200);
    expect(seen.map(([, bytes]) => bytes)).toEqual([7, 3 * 1024 * 1024, 7]);
    expect(seen[1]?.[0]).not.toBe(seen[0]?.[0]);
  });

  test('gives way to connections by hand where the target sends interim answers unasked', async () => {
    const { url, sockets } = await targets.raw((socket) => {
      void received(socket, (all) => all.endsWith('{"a":1}')).then(() => {
        socket.end(`HTTP/1.1 100 Continue\r\n\r\n${ok}`);
      });
    });
    const deliverer = targets.deliverer(url);
    expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    expect(sockets).toHaveLength(2);
    expect(outcome(await deliverer.deliver(delivery()))).toBe(200);
    expect(sockets).toHaveLength(3);
  });
});
