import type { RunEnd } from '../engine/runEvents.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import type { QuietEvents } from './quietEvents.ts';

/** Requests in a row without an answer after which the target is looked for, and how often it is asked then. */
const few = 3;
const tries = 2;

/** Notices that a target takes connections and answers nothing any more: then no sequence is to blame. */
export class Lookout<F extends FuzzFound> {
  readonly #target: FuzzTarget<F>;
  readonly #events: QuietEvents;
  #looking: Promise<void> | undefined;

  constructor(target: FuzzTarget<F>, events: QuietEvents) {
    this.#target = target;
    this.#events = events;
    events.onUnanswered = () => {
      if (events.unanswered >= few) void this.look();
    };
  }

  /** Ends the run as lost where neither a plain request nor any other is answered. */
  async look(): Promise<void> {
    this.#looking ??= this.#ask(tries).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** The same for a last time: asks once, and only where the last request had no answer. @param ms - how long at most */
  async lookOnce(ms: number): Promise<void> {
    if (this.#events.unanswered > 0) await this.#ask(1, ms);
  }

  async #ask(times: number, ms?: number): Promise<void> {
    const { answers } = this.#events;
    for (let time = 0; time < times; time++) {
      if (this.#target.ended.aborted || this.#target.isHeld) return;
      const isThere = await this.#target.answers(ms).catch(() => false);
      if (isThere || this.#events.answers > answers) return this.#events.answered();
    }
    if (!this.#target.isHeld) this.#target.end(silent(this.#target.model.subject));
  }
}

function silent(subject: string): RunEnd {
  return {
    reason: `the ${subject} takes connections, and answered nothing any more, not even a plain request`,
    advice: `Restart the ${subject}, look at its log for what it was busy with, and run again.`,
  };
}
