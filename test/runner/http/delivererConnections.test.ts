import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Server as TcpServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Answer } from '../../../suites/delivery.ts';
import { type Certificate, makeCertificate } from '../certificate.ts';
import { body, byHand, delivererTo, delivery, head, outcome } from '../deliveries.ts';
import { ok } from '../rawServer.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets();

function connectionsOf(server: TcpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

test('a signal that exists as long as the run keeps nothing of connections that are closed', async () => {
  const url = await targets.http((_request, response) => response.end());
  const deliverer = targets.deliverer(url);
  const { signal } = new AbortController();
  for (let count = 0; count < 5; count++) await deliverer.deliver(byHand([head, body]), signal);
  await deliverer.deliver(delivery(), signal);
  await deliverer.close();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('limits', () => {
  test('no more than `concurrency` deliveries are in flight, by hand or not', async () => {
    let inFlight = 0;
    let most = 0;
    const url = await targets.http((request, response) => {
      most = Math.max(most, ++inFlight);
      request.resume().on('end', () => {
        setImmediate(() => {
          inFlight -= 1;
          response.end();
        });
      });
    });
    const deliverer = targets.deliverer(url, { concurrency: 3 });
    const made = Array.from({ length: 30 }, (_, index) => (index % 3 === 0 ? byHand([head, body]) : delivery()));
    const answers = await Promise.all(made.map((one) => deliverer.deliver(one)));
    expect(answers.every((answer) => outcome(answer) === 200)).toBe(true);
    expect(most).toBe(3);
  });

  test('no more than `rate` deliveries are begun per second', async () => {
    const url = await targets.http((request, response) => {
      request.resume().on('end', () => response.end());
    });
    const deliverer = targets.deliverer(url, { rate: 100, concurrency: 50 });
    const started = performance.now();
    await Promise.all(Array.from({ length: 12 }, () => deliverer.deliver(delivery())));
    expect(performance.now() - started).toBeGreaterThan(90);
  });
});

describe('together', () => {
  test('all are sent at once, past the slots, each over its own connection', async () => {
    const waiting: (() => void)[] = [];
    const url = await targets.http((request, response) => {
      request.resume().on('end', () => {
        waiting.push(() => response.end(request.headers['x-number']));
        if (waiting.length === 8) waiting.forEach((answer) => answer());
      });
    });
    const made = Array.from({ length: 8 }, (_, index) => delivery({ headers: [['X-Number', `${index}`]] }));
    const answers = await targets.deliverer(url, { concurrency: 1, headers: [['X-Tenant', '7']] }).together(made);
    expect(answers.map((answer) => answer.kind === 'answered' && answer.body)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
  });

  test('a connection that cannot be made is an answer too', async () => {
    const { url, server } = await targets.raw(() => {});
    const deliverer = targets.deliverer(url);
    server.close();
    await once(server, 'close');
    const steps = [head, { barrier: true }, body] as const;
    expect((await deliverer.together([delivery(), byHand(steps)])).map(outcome)).toEqual([
      'ECONNREFUSED',
      'ECONNREFUSED',
    ]);
  });
});

describe('inTurn', () => {
  test('sends one after the other over one connection, each where it says', async () => {
    const ports = new Set<number | undefined>();
    const url = await targets.http((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume().on('end', () => response.end(`${String(request.headers['x-tenant'])} ${request.url}`));
    });
    const deliverer = targets.deliverer(url, { headers: [['X-Tenant', '7']] });
    const made = [delivery(), delivery({ path: '//other?a=1' })];
    const heard: number[] = [];
    const answers = await deliverer.inTurn(made, (_, place) => heard.push(place));
    expect(answers.map((answer) => answer.kind === 'answered' && answer.body)).toEqual([
      `7 ${url.pathname}${url.search}`,
      '7 //other?a=1',
    ]);
    expect(heard).toEqual([0, 1]);
    expect(ports.size).toBe(1);
  });

  test('goes on where the target closes the connection after each answer', async () => {
    const url = await targets.http((request, response) => {
      request.resume().on('end', () => response.setHeader('Connection', 'close').end());
    });
    const answers = await targets.deliverer(url).inTurn([delivery(), delivery(), delivery()]);
    expect(answers.map(outcome)).toEqual([200, 200, 200]);
  });
});

describe('besideIdle', () => {
  test('holds idle connections open during the action, and closes them', async () => {
    const allOpen = Promise.withResolvers<void>();
    const server = await targets.raw((_, index) => void (index === 39 && allOpen.resolve()));
    const deliverer = targets.deliverer(server.url);
    const during = await deliverer.besideIdle(40, async () => {
      await allOpen.promise;
      return connectionsOf(server.server);
    });
    expect(during).toBe(40);
    await server.drained();
  });

  test('closes them where the action fails, and goes on where none can be made', async () => {
    const server = await targets.raw((socket) => socket.resume());
    const deliverer = targets.deliverer(server.url);
    await expect(deliverer.besideIdle(2, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await server.drained();
    server.server.close();
    await once(server.server, 'close');
    expect(await deliverer.besideIdle(2, () => Promise.resolve('done'))).toBe('done');
  });
});

describe('over TLS', () => {
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await makeCertificate();
  });
  afterAll(() => certificate.remove());

  async function startSecure(listener?: RequestListener): Promise<{ readonly url: URL; readonly server: Server }> {
    const answer: RequestListener = (request, response) => void request.resume().on('end', () => response.end('safe'));
    const server = createSecureServer({ key: certificate.key, cert: certificate.cert }, listener ?? answer);
    return { url: await targets.listen(server as unknown as Server, 'https'), server: server as unknown as Server };
  }

  test('an unknown certificate is refused', async () => {
    const { url } = await startSecure();
    const deliverer = targets.deliverer(url);
    expect(outcome(await deliverer.deliver(delivery()))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(outcome(await deliverer.deliver(byHand([head, body])))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await deliverer.reachable()).toBe(false);
  });

  test.each(['text', 'insecure'])('is trusted by %s', async (how) => {
    const { url } = await startSecure();
    const ca = how === 'text' ? certificate.cert : undefined;
    for (const host of ['127.0.0.1', 'localhost']) {
      const deliverer = targets.deliverer(Object.assign(new URL(url), { hostname: host }), {
        ca,
        insecure: how === 'insecure',
      });
      expect(await deliverer.deliver(delivery())).toMatchObject({ status: 200, body: 'safe' });
      expect(await deliverer.deliver(byHand([head, body]))).toMatchObject({ status: 200, body: 'safe' });
      expect((await deliverer.together([delivery()])).map(outcome)).toEqual([200]);
      expect(await deliverer.reachable()).toBe(true);
    }
  });

  test('a connection that breaks at first is not sent over again', async () => {
    let requests = 0;
    const { url } = await startSecure((request) => {
      requests += 1;
      request.socket.destroy();
    });
    expect(outcome(await targets.deliverer(url, { insecure: true }).deliver(delivery()))).toBe('CLOSED');
    expect(requests).toBe(1);
  });

  test('a connection can be reset', async () => {
    const { url } = await startSecure();
    const reset = Promise.withResolvers<unknown>();
    // Node's TLS server may take a reset for an end, so it is looked at on its way there.
    const relay = await targets.raw((socket) => {
      const onward = connect(Number(url.port), '127.0.0.1').on('error', () => {});
      socket.pipe(onward).pipe(socket);
      socket.on('error', (error: NodeJS.ErrnoException) => {
        onward.destroy();
        reset.resolve(error.code);
      });
    });
    const steps = [head, { send: 'body', from: 0, to: 0.5 }, { end: 'rst' }] as const;
    const deliverer = targets.deliverer(Object.assign(new URL(url), { port: relay.url.port }), { insecure: true });
    expect(outcome(await deliverer.deliver(byHand(steps)))).toBe('RESET_BY_KIT');
    expect(await reset.promise).toBe('ECONNRESET');
  });
});

test('close breaks off what is under way and leaves nothing open', async () => {
  const arrived = Promise.withResolvers<void>();
  let requests = 0;
  const server = createServer(() => {
    requests += 1;
    if (requests === 3) arrived.resolve();
  });
  const url = await targets.listen(server);
  const deliverer = delivererTo(url);
  const answers = [
    deliverer.deliver(delivery()),
    deliverer.deliver(byHand([head, body])),
    deliverer.together([delivery()]).then(([answer]) => answer as Answer),
  ];
  await arrived.promise;
  await deliverer.close();
  expect((await Promise.all(answers)).map(outcome)).toEqual(['ABORTED_BY_KIT', 'ABORTED_BY_KIT', 'ABORTED_BY_KIT']);
  expect(outcome(await deliverer.deliver(delivery()))).toBe('ABORTED_BY_KIT');
  expect(outcome(await deliverer.deliver(byHand([head, body])))).toBe('ABORTED_BY_KIT');
});

test('close ends kept connections too', async () => {
  const server = await targets.raw((socket) => socket.on('data', () => socket.write(ok)));
  const deliverer = delivererTo(server.url);
  await Promise.all([1, 2, 3].map(() => deliverer.deliver(delivery())));
  await deliverer.close();
  await server.drained();
  expect(await connectionsOf(server.server)).toBe(0);
});
