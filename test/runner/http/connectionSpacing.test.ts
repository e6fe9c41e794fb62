import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

import { afterEach, describe, expect, it } from 'vitest';

import { ConnectionSpacing } from '../../../runner/http/connectionSpacing.ts';
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
