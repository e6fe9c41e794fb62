import type { Pool } from 'undici';

import { createPool, type PoolOptions } from './createPool.ts';

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
