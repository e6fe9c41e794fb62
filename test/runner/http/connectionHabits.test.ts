import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ConnectionSpacing } from '../../../runner/http/connectionHabits.ts';
import { Connector } from '../../../runner/http/connector.ts';

/** Accepts one connection at a time, works on each for some milliseconds, and lets six others wait, as Python's `http.server` does. */
const shortQueue = `
const { createServer } = require('node:net');
const { parentPort } = require('node:worker_threads');
const server = createServer((socket) => {
  const until = performance.now() + 3;
  while (performance.now() < until);
  socket.on('error', () => {}).end();
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 5 }, () => parentPort.postMessage(server.address().port));
`;

/** Milliseconds after which the system sends a first packet again, or a little less. */
const sentAgain = 900;

let server: Worker | undefined;

afterEach(async () => {
  await server?.terminate();
});

describe('connections to a target whose queue of new ones is short', () => {
  it('are spaced once one had to wait for its packet to be sent again, so that none has to any more', async () => {
    server = new Worker(shortQueue, { eval: true });
    const [port] = (await once(server, 'message')) as [number];
    const spacing = new ConnectionSpacing();
    let begun = 0;
    /** Milliseconds that each connection took, from when it was its turn. */
    let took: number[] = [];
    const measured: Pick<ConnectionSpacing, 'take'> = {
      take: (connect) =>
        spacing.take(async () => {
          begun += 1;
          const began = performance.now();
          const connection = await connect();
          took.push(performance.now() - began);
          return connection;
        }),
    };
    const connector = new Connector(new URL(`http://127.0.0.1:${port}`), { spacing: measured as ConnectionSpacing });
    const open = (): Promise<readonly Socket[]> =>
      Promise.all(Array.from({ length: 40 }, () => connector.openTransport(20_000)));
    const first = open();
    expect(begun).toBe(40);
    await first;
    expect(Math.max(...took)).toBeGreaterThan(sentAgain);
    const slowest = async (): Promise<number> => {
      took = [];
      await open();
      return Math.max(...took);
    };
    await expect.poll(slowest).toBeLessThan(sentAgain);
    await connector.closeAll();
  });
});

describe('how far apart they are opened', () => {
  let spacing: ConnectionSpacing;
  /** Connections that were opened without a wait. */
  let begun: number;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    spacing = new ConnectionSpacing();
    begun = 0;
  });
  afterEach(() => void vi.useRealTimers());

  const took = (ms: number) => spacing.take(async () => void vi.advanceTimersByTime(ms));
  const ask = (count: number) =>
    Promise.all(Array.from({ length: count }, () => spacing.take(async () => void (begun += 1))));

  it('is no matter where each takes long: then it is far away', async () => {
    await took(1000);
    await took(1000);
    const asked = ask(20);
    expect(begun).toBe(20);
    await asked;
  });

  it('lets four go at once, and the next after five milliseconds', async () => {
    await took(1);
    await took(1000);
    const asked = ask(20);
    expect(begun).toBe(4);
    vi.advanceTimersByTime(100);
    const later = ask(1);
    expect(begun).toBe(5);
    await Promise.all([asked, later]);
  });

  it.each([
    [
      'is doubled once, where several took long at the same time',
      (all: readonly (() => Promise<void>)[]) => Promise.all(all.map((one) => one())),
      5,
    ],
    [
      'is ten milliseconds at most',
      async (all: readonly (() => Promise<void>)[]) => {
        for (const one of all) await one();
      },
      10,
    ],
  ])('%s', async (_, take, gap) => {
    await took(1);
    await take(Array.from({ length: 5 }, () => () => took(1000)));
    vi.advanceTimersByTime(1000);
    const asked = [ask(4)];
    vi.advanceTimersByTime(gap - 1);
    asked.push(ask(1));
    expect(begun).toBe(4);
    vi.advanceTimersByTime(gap + 1);
    asked.push(ask(1));
    expect(begun).toBe(5);
    await Promise.all(asked);
  });
});
