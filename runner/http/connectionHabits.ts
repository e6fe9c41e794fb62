import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which a first packet that was lost is sent again, or a little less (RFC 6298: one second). */
const sentAgain = 900;

/** Milliseconds of a connection at most that was made at once. */
const atOnce = 100;

/** Connections that may be opened at the same moment: no more than the shortest usual queue of a listener holds (5). */
const burst = 4;

/** Milliseconds between two others: at first, and at most. */
const gaps = { first: 5, most: 10 } as const;

/**
 * How fast connections to one target are opened: as fast as they are asked for, until one takes as long as a lost packet takes
 * to be sent again, where others were made at once. Then the target's queue of new connections is short, as that of Python's
 * `http.server` is (5), and each one beyond it would cost a second or more.
 *
 * @example const socket = await spacing.take(() => connected());
 */
export class ConnectionSpacing {
  #wasMadeAtOnce = false;
  #gap = 0;
  /** When the gap was last made longer, in milliseconds (monotonic). What began before says nothing about it. */
  #since = -Infinity;
  /** The turn of the one that came last. */
  #last = -Infinity;

  /** Opens a connection when it is its turn. @param connect - resolves once it is made, and may reject */
  async take<T>(connect: () => Promise<T>): Promise<T> {
    const wait = this.#turn() - performance.now();
    if (wait > 0) await sleep(wait);
    const began = performance.now();
    const connection = await connect();
    this.#made(began);
    return connection;
  }

  /** When the next one may be opened. */
  #turn(): number {
    const now = performance.now();
    this.#last = Math.max(this.#last + this.#gap, now - (burst - 1) * this.#gap);
    return this.#last;
  }

  #made(began: number): void {
    const took = performance.now() - began;
    this.#wasMadeAtOnce ||= took < atOnce;
    if (took < sentAgain || !this.#wasMadeAtOnce || began < this.#since) return;
    this.#gap = Math.min(gaps.most, Math.max(gaps.first, 2 * this.#gap));
    this.#since = performance.now();
  }
}

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

/** Requests without an answer over connections that had answered before, after which such connections are avoided. */
const suspicious = 4;

/**
 * Whether connections are worth keeping. A target may leave the next request on a connection without an answer, after one that
 * it refused for instance: then each of them would be waited for until its time is over, and each shows the same.
 */
export class KeptConnections {
  #unanswered = 0;
  #unansweredFresh = 0;

  /** Whether requests are answered over fresh connections only. */
  get areAvoided(): boolean {
    return this.#unanswered >= suspicious && this.#unansweredFresh === 0;
  }

  /** A request got no answer in time. @param wasKept - whether its connection had answered before */
  unanswered(wasKept: boolean): void {
    if (wasKept) this.#unanswered += 1;
    else this.#unansweredFresh += 1;
  }
}
