import type { Counterexample } from './exchange.ts';

/** How a search is bounded, as the first event of its run says. */
export interface ReportedSearch {
  /** Milliseconds. */
  readonly time?: number;
  readonly runs?: number;
  readonly untilFailure: boolean;
  readonly feedback: boolean;
}

/** Where a search stands. */
export interface FuzzFigures {
  /** Sequences that were tried. */
  readonly cases: number;
  /** Steps of these sequences. */
  readonly steps: number;
  /** Answers that were different from all before them. */
  readonly distinct: number;
  /** Sequences that are kept and changed further; those that were there at the start count. */
  readonly corpus: number;
  /** Failures of different causes. */
  readonly failures: number;
  /** Failures that did not come again. */
  readonly flaky: number;
  /** Failures that were found a moment ago, and are made smaller and tried again before they are reported. */
  readonly shrinking?: number;
  /** Deliveries and calls that have no event of their own: a search makes too many to report each. */
  readonly deliveries?: number;
  readonly calls?: number;
  /** Bytes of memory that the kit holds (its resident set). */
  readonly memory: number;
}

/** Reported about once a second, and at the end of the search. */
export interface FuzzProgressed extends FuzzFigures {
  readonly type: 'fuzz.progressed';
  readonly ms: number;
}

/** A sequence that shows a failure with a cause of its own, shrunk and tried again. */
export interface FuzzFailed {
  readonly type: 'fuzz.failed';
  readonly ms: number;
  /** The check of the requirement that it breaks: `receiver/fuzz/idm-2`. */
  readonly check: string;
  /** What sort of mistake: `lost`, `twice`, `refused`. */
  readonly cause: string;
  /** The shrunk sequence, a step each, for people. */
  readonly steps: readonly string[];
  /** How many steps it had before it was shrunk. */
  readonly found: number;
  /** Whether there was no time to try all smaller sequences. Default: no. */
  readonly cut?: true;
  /** How many other sequences have to be played at the same time for it to fail. Default: none. */
  readonly beside?: number;
  /** Milliseconds of the run at which it was found; the event comes once it was shrunk and tried again. */
  readonly at?: number;
  /** How often it failed among so many tries after it was found, with fresh ids each. */
  readonly rate: { readonly failed: number; readonly tries: number };
  /**
   * `failed`: it counts. `flaky`: it did not come again, and could have been chance; nothing counts as broken because of it.
   */
  readonly outcome: 'failed' | 'flaky';
  readonly counterexample: Counterexample;
}
