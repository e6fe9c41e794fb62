import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which a target has noticed that a connection was closed. */
const noticed = 2;

/**
 * Who may have a connection to the target, and keep it: anybody, until it is seen that the target serves few connections at a
 * time, or one. Then none is kept, or each waits until the one before is closed.
 */
export class ConnectionTurns {
  #last: Promise<void> | undefined;
  #areKept = true;

  /** Whether a connection may be kept for the next request. */
  get areKept(): boolean {
    return this.#areKept;
  }

  /** Whether there is one connection at a time. */
  get areTaken(): boolean {
    return this.#last !== undefined;
  }

  /** From now on there is one connection at a time. */
  begin(): void {
    this.keepNone();
    this.#last ??= Promise.resolve();
  }

  /** From now on each request has a connection of its own, which is closed then. */
  keepNone(): void {
    this.#areKept = false;
  }

  /** Does what needs a connection. @param work - resolves once its connection is closed, where turns are taken */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#last === undefined) return work();
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      return await work();
    } finally {
      void sleep(noticed).then(resolve);
    }
  }
}
