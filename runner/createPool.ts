import { isIP } from 'node:net';

import { buildConnector, Pool } from 'undici';

import { tlsOptions } from './connector.ts';
import { CountingClient } from './pooledExchange.ts';

/** Milliseconds that an unused connection is kept: shorter than what common servers keep it. */
const keepAlive = 1000;

/** What a pool of kept connections depends on. */
export interface PoolOptions {
  readonly url: URL;
  /** Connections at most. */
  readonly concurrency: number;
  /** Milliseconds that a connection may take to be made. */
  readonly timeout: number;
  /** Certificates to trust: PEM text, or the path of a PEM file. */
  readonly ca?: string | undefined;
  readonly insecure: boolean;
  /** The address of this machine that connections come from. Default: the system chooses. */
  readonly localAddress?: string | undefined;
}

/** Kept connections to one target. @throws where the file of `ca` cannot be read */
export function createPool({ url, concurrency, timeout, ca, insecure, localAddress }: PoolOptions): Pool {
  const secure = url.protocol === 'https:';
  return new Pool(url.origin, {
    connections: concurrency,
    pipelining: 1,
    ...(localAddress !== undefined && { localAddress }),
    // The exchange counts the time itself, from the start to the end of the answer.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAlive,
    keepAliveMaxTimeout: keepAlive,
    connect: buildConnector({
      timeout,
      allowH2: false,
      ...(localAddress !== undefined && { family: isIP(localAddress) }),
      ...(secure ? tlsOptions({ ca, insecure }) : {}),
    }),
    factory: (origin, options) => new CountingClient(origin, options),
  });
}
