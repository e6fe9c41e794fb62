import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

import { afterEach } from 'vitest';

import type { Deliverer } from '../../runner/http/deliverer.ts';
import type { DelivererOptions } from '../../runner/http/delivererOptions.ts';
import { delivererTo } from './deliveries.ts';
import { type RawServer, startRawServer } from './rawServer.ts';

/** Servers and deliverers that are closed after the tests, the last one first: a leaked connection hangs them. */
export interface Targets {
  closeAfterwards(close: () => Promise<unknown>): void;
  /** A TCP server; it waits for its connections to be closed from the other side. */
  raw(...args: Parameters<typeof startRawServer>): Promise<RawServer>;
  http(listener: RequestListener): Promise<URL>;
  listen(server: Server, scheme?: 'http' | 'https'): Promise<URL>;
  deliverer(url: URL, options?: Partial<DelivererOptions>): Deliverer;
}

/** @param after - when they are closed: tests at the same time share them, and close them after all. Default: after each */
export function useTargets(after: (close: () => Promise<void>) => void = afterEach): Targets {
  const closers: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });
  const targets: Targets = {
    closeAfterwards: (close) => void closers.push(close),
    async raw(...args) {
      const server = await startRawServer(...args);
      targets.closeAfterwards(async () => {
        await server.drained();
        await server.close();
      });
      return server;
    },
    http: (listener) => targets.listen(createServer(listener)),
    async listen(server, scheme = 'http') {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      targets.closeAfterwards(() => closed(server));
      return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?a=1`);
    },
    deliverer(url, options) {
      const deliverer = delivererTo(url, options);
      targets.closeAfterwards(() => deliverer.close());
      return deliverer;
    },
  };
  return targets;
}

function closed(server: Server): Promise<unknown> {
  const event = once(server, 'close');
  server.close();
  return event;
}
