import { amount, timeLimitText } from '../../reports/text/amount.ts';
import type { Intensity } from './plan.ts';
import type { RunEnd, UntimedEvent } from './eventStream.ts';

/** Milliseconds of a run whose time nobody gave. */
const usual = { quick: 2 * 60_000, standard: 5 * 60_000, thorough: 20 * 60_000 } as const satisfies Record<
  Intensity,
  number
>;

/** Milliseconds that a run gets beside them where the kit starts the target, which takes its time at each restart. */
const restarts = 5 * 60_000;

/** The time of a run that was given none. */
export function usualTimeLimit(intensity: Intensity, startsTarget: boolean): number {
  return usual[intensity] + (startsTarget ? restarts : 0);
}

/** Milliseconds at most that are kept back from a run's time for what comes at its end: what was made is removed. */
const longestParting = 5000;

/**
 * Milliseconds that a run may take to put away what it made after its end. As much is kept back from its time, so that
 * it ends within it in most cases, and within a tenth more in all.
 */
export function partingTime(timeLimit: number): number {
  return Math.min(longestParting, timeLimit / 20);
}

/** The end of a run whose time is over. */
export function outOfTime(timeLimit: number): RunEnd {
  return { reason: `the time of the run (--time, ${timeLimitText(timeLimit)}) was over`, lost: false, cause: 'time' };
}

/** The same, where no check could begin until then: a target may hang, and the kit itself may have taken the time. */
export function outOfTimeAtFirst(timeLimit: number): RunEnd {
  return {
    reason: `${outOfTime(timeLimit).reason} before the first check could begin`,
    advice:
      'Give the run longer (--time): where a contract is large, the kit itself needs a while to make what it sends. If that does not help, look whether the target starts and answers: it may hang.',
  };
}

/** Why a check shows nothing of which not every kind of case was tried. */
export function untriedText(timeLimit: number, untried: number, kinds: number): string {
  const which = untried === kinds ? 'any case of it was' : `${untried} of its ${amount(kinds, 'kind')} of case were`;
  return `the time of the run was over before ${which} tried: give it longer than ${timeLimitText(timeLimit)} (--time)`;
}

/** The moment by which a run, or a part of it, has to end, and shares of the time until then. */
export class Deadline {
  readonly #at: number;

  /** @param at - milliseconds (monotonic). Default: never */
  constructor(at = Infinity) {
    this.#at = at;
  }

  /** @example Deadline.in(1000).part(0.5).left // 500 */
  static in(ms: number): Deadline {
    return new Deadline(performance.now() + ms);
  }

  /** Milliseconds until then; 0 afterwards. */
  get left(): number {
    return Math.max(0, this.#at - performance.now());
  }

  get over(): boolean {
    return this.left === 0;
  }

  /** The later one of both. */
  orLater(other: Deadline): Deadline {
    return other.left > this.left ? other : this;
  }

  /** The deadline of a part of the work that may take this share (0 to 1) of what is left. */
  part(share: number): Deadline {
    return Deadline.in(this.left * share);
  }
}

/** How a run ends early, and what may be done afterwards. The first reason stays. */
export class Ending {
  readonly #interrupted: AbortSignal;
  readonly #emit: (event: UntimedEvent) => void;
  readonly #ending = new AbortController();
  readonly #ended: AbortSignal;
  #by: RunEnd | undefined;
  #isParting = false;

  /** @param interrupted - aborted where the user ends the run */
  constructor(interrupted: AbortSignal, emit: (event: UntimedEvent) => void) {
    this.#interrupted = interrupted;
    this.#emit = emit;
    this.#ended = AbortSignal.any([interrupted, this.#ending.signal]);
  }

  /** Aborted once the run has ended early. */
  get signal(): AbortSignal {
    return this.#isParting ? never : this.#ended;
  }

  /** Why it ended early; nothing while it goes on. */
  get by(): RunEnd | undefined {
    return this.#by ?? (this.#interrupted.aborted ? { reason: 'the run was interrupted' } : undefined);
  }

  end(end: RunEnd): void {
    if (this.#by !== undefined || this.#interrupted.aborted) return;
    this.#by = end;
    const { reason, advice = '', lost = true, kitWords } = end;
    if (lost) this.#emit({ type: 'target.lost', reason, advice, ...(kitWords && { kitWords }) });
    this.#ending.abort();
  }

  /** Does what is left to do as if the run went on, and waits for it no longer than so many milliseconds. */
  async part(action: () => Promise<void>, ms: number): Promise<void> {
    this.#isParting = true;
    const late = new Promise<void>((resolve) => void setTimeout(resolve, Math.min(ms, longestTimer)).unref());
    await Promise.race([action(), late]);
    this.#isParting = false;
  }
}

/** Milliseconds that a timer takes at most. */
const longestTimer = 2 ** 31 - 1;

const never = new AbortController().signal;

/** Thrown into a case whose run has ended: it shows nothing, and nobody is to blame. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';
}

/** Passes over the end of the run, where what was under way is finished elsewhere. */
export function unlessEnded(error: unknown): void {
  if (!(error instanceof RunEnded)) throw error;
}
