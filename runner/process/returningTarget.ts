import { setTimeout as sleep } from 'node:timers/promises';

import type { ProcessChange } from '../../reports/model/events.ts';
import { NotStarted } from '../../suites/processControl.ts';
import type { UntimedEvent } from '../engine/eventStream.ts';
import { control } from '../engine/owner.ts';
import type { Presence } from '../engine/presence.ts';
import type { Guarded, Guardian } from './guardian.ts';

/** Milliseconds in which something else may start a target again, and between two looks whether it did. */
const returnTime = 5_000;

const interval = 50;

/** What has to be known of the run. */
interface ReturningOptions {
  readonly presence: Presence;
  readonly ended: AbortSignal;
  /** Milliseconds of the run. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  guardian(): Guardian;
}

/**
 * A target that the kit did not start. That it is gone is seen from outside, by its port; a supervisor or a person may start
 * it again.
 */
export class ReturningTarget implements Guarded {
  readonly reportsDeath = false;
  readonly #options: ReturningOptions;
  #lostAt: number | undefined;

  constructor(options: ReturningOptions) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#lostAt === undefined;
  }

  async ensureUp(): Promise<void> {
    const { presence, ended } = this.#options;
    const lostAt = this.#lostAt;
    if (lostAt === undefined) return;
    while (!ended.aborted) {
      if (await presence.reachable()) return this.#returned(Math.round(this.#options.elapsed() - lostAt));
      if (this.#options.elapsed() - lostAt > returnTime) throw new NotStarted(goneForGood, { byKit: false });
      await sleep(interval, undefined, { signal: ended }).catch(() => undefined);
    }
  }

  async look(): Promise<boolean> {
    const { presence, ended } = this.#options;
    const code = await presence.absence();
    if (code === undefined || ended.aborted || this.#lostAt !== undefined) return false;
    // Only a refusal says that nothing listens; anything else may be a busy target, or a connection lost on the way.
    if (code !== 'ECONNREFUSED' && (await presence.stillThere())) return false;
    this.#lostAt = this.#options.elapsed();
    const how = wordsOf(code);
    this.#report('lost', how);
    this.#options.guardian().died({ how });
    return true;
  }

  #returned(took: number): void {
    this.#lostAt = undefined;
    this.#report('returned', `after ${took} ms`);
  }

  #report(change: ProcessChange, detail: string): void {
    const { check, case: number } = this.#options.guardian().suspect ?? control;
    this.#options.emit({ type: 'life.changed', check, case: number, change, detail });
  }
}

const goneForGood = `did not come back within ${returnTime / 1000} s`;

/** How it went, in words that go on from `the receiver`. */
function wordsOf(code: string): string {
  if (code === 'ECONNREFUSED') return 'went away: connections to it were refused (ECONNREFUSED)';
  if (code === 'TIMED_OUT') return 'stopped taking connections: attempts to connect got no answer';
  return `stopped taking connections (${code})`;
}
