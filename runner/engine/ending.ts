import type { RunEnd, UntimedEvent } from './eventStream.ts';

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
