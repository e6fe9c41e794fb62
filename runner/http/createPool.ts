import { Agent, Pool } from 'undici';

import type { Access } from './access.ts';
import { poolConnector } from './dial.ts';
import type { Pace } from './pace.ts';
import { CountingClient } from './pooledExchange.ts';

/** Milliseconds that an unused connection is kept: shorter than what common servers keep it. */
const keepAlive = 1000;

/** What a pool of kept connections depends on. */
interface PoolOptions extends Access {
  readonly url: URL;
  /** Connections at most. */
  readonly concurrency: number | Pace;
  /** Milliseconds that a connection may take to be made. */
  readonly timeout: number;
  /** The address of this machine that connections come from. Default: the system chooses. */
  readonly localAddress?: string | undefined;
  /** Bytes of the longest answer. Default: no limit. */
  readonly longest?: number;
}

/** Kept connections to one target */
export function createPool(options: PoolOptions): Pool {
  const { url, concurrency, localAddress, longest } = options;
  return new Pool(url.origin, {
    connections: typeof concurrency === 'number' ? concurrency : concurrency.most,
    pipelining: 1,
    ...(localAddress !== undefined && { localAddress }),
    ...(longest !== undefined && { maxResponseSize: longest }),
    // The exchange counts the time itself, from the start to the end of the answer.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAlive,
    keepAliveMaxTimeout: keepAlive,
    connect: poolConnector(options, options),
    factory: (origin, given) => new CountingClient(origin, given),
  });
}

/** Connections for single requests. @param timeout - milliseconds that one may take to be made */
export function createAgent(access: Access, timeout: number): Agent {
  return new Agent({ connect: poolConnector(access, { timeout }) });
}

/** The pool of a target that may listen at another port when it is started again: it leads where the URL leads then. */
export class TargetPool {
  readonly #options: PoolOptions;
  #made: { readonly href: string; readonly pool: Pool } | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get current(): Pool {
    const { href } = this.#options.url;
    if (this.#made?.href === href) return this.#made.pool;
    void this.#made?.pool.destroy();
    const pool = createPool(this.#options);
    this.#made = { href, pool };
    return pool;
  }

  /** Closes its connections. Those that are made later are kept again. */
  async renew(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    await made?.pool.destroy();
  }

  async destroy(): Promise<void> {
    await this.#made?.pool.destroy();
  }
}
