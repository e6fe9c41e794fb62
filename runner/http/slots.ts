import { Pace } from './pace.ts';
import { onAbort } from './onAbort.ts';
import { isOverloaded } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';

/**
 * Sends a request in the place that it was given, and lets the pace know how the target took it.
 *
 * @param isSilent - whether it is known already that some get no answer, and that load is not why
 */
export async function paced(
  send: () => Promise<Answer>,
  pace: number | Pace,
  slots: Pick<Slots, 'full'>,
  isSilent = false,
): Promise<Answer> {
  if (typeof pace === 'number') return send();
  const began = performance.now();
  // What a target does one at a time takes as long as what came before it, whatever comes after.
  const { full } = slots;
  const answer = await send();
  if (answer.kind === 'answered' && !isOverloaded(answer)) pace.answered(performance.now() - began, { began, full });
  else if (answer.kind === 'timed-out' && isSilent) return answer;
  else if (answer.kind !== 'broken' || !answer.code.endsWith('_BY_KIT'))
    pace.failed({ began, silent: answer.kind === 'timed-out' });
  return answer;
}

/** Time, as far as a rate needs it. */
export interface Clock {
  /** Milliseconds, never going back. */
  now(): number;
  setTimeout(action: () => void, ms: number): unknown;
}

export interface SlotsOptions {
  /** Slots taken at most at the same time; a pace is asked anew for each of them. */
  readonly concurrency: number | Pace;
  /** Slots given out per second at most. Default: no limit. */
  readonly rate?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock;
}

const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (action, ms) => setTimeout(action, ms),
};

/**
 * Limits how much goes on at once, and how much is begun per second. First come, first served.
 *
 * @example
 * if (!(await slots.acquire(signal))) return;
 * try { await send(); } finally { slots.release(); }
 */
export class Slots {
  readonly #clock: Clock;
  readonly #bucket: TokenBucket | undefined;
  /** Those that wait, and what they call when they do not any more. */
  readonly #queue = new Map<(granted: boolean) => void, (() => void) | undefined>();
  readonly #pace: Pace;
  #taken = 0;
  #sleeping = false;

  constructor({ concurrency, rate, clock = systemClock }: SlotsOptions) {
    this.#pace = typeof concurrency === 'number' ? new Pace(concurrency) : concurrency;
    this.#clock = clock;
    this.#bucket = rate === undefined ? undefined : new TokenBucket(rate, () => clock.now());
  }

  /** Whether no slot is free. */
  get full(): boolean {
    return this.#taken >= this.#pace.limit;
  }

  /** Waits for a slot. Resolves to false, without a slot, once the signal is aborted. */
  acquire(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    if (this.#queue.size === 0 && this.#take()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const withdraw = (): void => {
        if (this.#queue.delete(resolve)) resolve(false);
      };
      this.#queue.set(resolve, signal && onAbort(signal, withdraw));
    });
  }

  /** Counts what is begun at once, past the slots, against the rate: waits until what went before is paid for. */
  async charge(count: number, ended?: AbortSignal): Promise<void> {
    const ms = this.#bucket?.owe(count) ?? 0;
    if (ms === 0 || ended?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#clock.setTimeout(resolve, ms);
    ended?.addEventListener('abort', () => resolve(), { once: true });
    await promise;
  }

  /** Gives a slot back. */
  release(): void {
    this.#taken -= 1;
    this.#admit();
  }

  #admit(): void {
    for (const [waiter, unhear] of this.#queue) {
      if (!this.#take()) return;
      this.#queue.delete(waiter);
      unhear?.();
      waiter(true);
    }
  }

  /** Takes a slot where one is free; those that wait are admitted once the rate allows it. */
  #take(): boolean {
    if (this.#sleeping || this.full) return false;
    if (this.#bucket !== undefined && !this.#bucket.take()) {
      this.#sleep(this.#bucket.wait());
      return false;
    }
    this.#taken += 1;
    return true;
  }

  #sleep(ms: number): void {
    this.#sleeping = true;
    this.#clock.setTimeout(() => {
      this.#sleeping = false;
      this.#admit();
    }, ms);
  }
}

/** Milliseconds of unused rate that may be spent at once: timers wake too rarely to space out thousands a second. */
const burst = 20;

/** Lets through at most `rate` takers a second, evenly but for a burst of 20 ms worth (at least one). */
class TokenBucket {
  readonly #rate: number;
  readonly #capacity: number;
  readonly #now: () => number;
  #tokens: number;
  #at: number;

  /** @param now - milliseconds of a clock that never goes back */
  constructor(rate: number, now: () => number) {
    this.#rate = rate;
    this.#capacity = Math.max(1, (rate * burst) / 1000);
    this.#now = now;
    this.#tokens = this.#capacity;
    this.#at = now();
  }

  /** Takes a token where there is one. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes so many tokens, whether or not they are there: what is lacking is owed. @returns milliseconds until what was owed before is paid */
  owe(count: number): number {
    this.#fill();
    const before = Math.max(0, Math.ceil((-this.#tokens * 1000) / this.#rate));
    this.#tokens -= count;
    return before;
  }

  /** Milliseconds until the next token, at least one. */
  wait(): number {
    return Math.max(1, Math.ceil(((1 - this.#tokens) * 1000) / this.#rate));
  }

  #fill(): void {
    const now = this.#now();
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((now - this.#at) * this.#rate) / 1000);
    this.#at = now;
  }
}
