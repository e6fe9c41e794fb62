import type { Counterexample } from '../../reports/model/exchange.ts';
import type { Confirmed } from './confirmProgram.ts';
import type { Program } from './gene.ts';
import type { Failing } from './simplerProgram.ts';

/** What distinguishes failures. */
export interface FailureSort {
  /** The requirement that it breaks. */
  readonly requirement: string;
  readonly cause: string;
  /** The kinds of its steps. */
  readonly kinds: readonly string[];
}

/** A failure that was shrunk, tried again and reported. */
export interface KnownFailure extends FailureSort {
  readonly outcome: 'failed' | 'flaky';
  readonly rate: { readonly failed: number; readonly tries: number };
  readonly counterexample: Counterexample;
}

/**
 * Sequences that are shrunk for each requirement and sort of mistake: fewer where a failure that is known of another
 * requirement may be all that they show.
 */
const most = { own: 4, likeAnother: 1 } as const;

/** Tells failures apart by what they break, how, and by which kinds of steps. */
export class Failures {
  /** The share of plain requests that the target leaves unanswered, once somebody asked for it. */
  lostShare: Promise<number> | undefined;
  readonly #known: KnownFailure[] = [];
  /** How many sequences were shrunk, by requirement and cause. */
  readonly #shrunk = new Map<string, number>();

  get confirmed(): readonly KnownFailure[] {
    return this.#known.filter(({ outcome }) => outcome === 'failed');
  }

  get flaky(): readonly KnownFailure[] {
    return this.#known.filter(({ outcome }) => outcome === 'flaky');
  }

  /**
   * Whether a sequence that failed may show something else than what is known. What breaks another requirement may, even
   * where it holds all steps of a failure that is known.
   */
  isNews(sort: FailureSort): boolean {
    const like = this.confirmed.filter(({ cause, kinds }) => cause === sort.cause && isWithin(kinds, sort.kinds));
    if (like.some(({ requirement }) => requirement === sort.requirement)) return false;
    return (this.#shrunk.get(nameOf(sort)) ?? 0) < (like.length > 0 ? most.likeAnother : most.own);
  }

  /** Counts a sequence that was shrunk. */
  count(sort: FailureSort): void {
    this.#shrunk.set(nameOf(sort), (this.#shrunk.get(nameOf(sort)) ?? 0) + 1);
  }

  /** Whether one of this requirement and cause was reported. */
  has(sort: FailureSort): boolean {
    return this.#known.some((known) => nameOf(known) === nameOf(sort));
  }

  /** Whether one of this requirement and cause did not come again before. */
  isFlaky(sort: FailureSort): boolean {
    return this.flaky.some((known) => nameOf(known) === nameOf(sort));
  }

  /** Whether one with the same requirement, cause and kinds of steps counts already. */
  isKnown(sort: FailureSort): boolean {
    return this.confirmed.some((known) => nameOf(known) === nameOf(sort) && known.kinds.join() === sort.kinds.join());
  }

  add(failure: KnownFailure): void {
    this.#known.push(failure);
  }

  /** The smallest failure of a requirement that counts. */
  smallestOf(requirement: string): KnownFailure | undefined {
    const own = this.confirmed.filter((known) => known.requirement === requirement);
    return own.toSorted((one, other) => one.kinds.length - other.kinds.length)[0];
  }

  /** The number of the next failure of a requirement, from 1. */
  numberOf(requirement: string): number {
    return this.#known.filter((known) => known.requirement === requirement).length + 1;
  }
}

function nameOf({ requirement, cause }: FailureSort): string {
  return `${requirement} ${cause}`;
}

/** Whether all of them come in the list, in this order. */
function isWithin(kinds: readonly string[], list: readonly string[]): boolean {
  let found = 0;
  for (const kind of list) if (kind === kinds[found]) found += 1;
  return found === kinds.length;
}

/** A sequence that failed. */
export interface RawFailure<F> extends Failing<F> {
  /** The requirement that it counts for. */
  readonly requirement: string;
  /** Whether it was drawn as one that runs alone, and may hold process control of the target. */
  readonly alone: boolean;
  /** Whether it failed again when it was played alone. */
  readonly recurred: boolean;
  /** Whether it failed because no answer came in time. */
  readonly unanswered: boolean;
  readonly index: number;
  /** Milliseconds of the run at which it was found. */
  readonly at: number;
}

/** How a failure is settled. */
export interface Settling<F> {
  /** Milliseconds of the run at which shrinking ends. */
  readonly until: number;
  /** The requirement that a finding counts for; nothing where none of its requirements is looked for. */
  readonly requirementOf: (finding: F) => string | undefined;
  /** The sequences that were played at the same time, itself among them. */
  readonly batch: readonly Program[];
}

/** A sequence that was shrunk, and how often it fails. */
export interface Shrunk<F> extends Failing<F> {
  /** Whether there was no time to try all smaller ones. Default: no. */
  readonly cut?: boolean;
  readonly confirmed: Confirmed<F>;
  /** What has to be played at the same time. Default: nothing. */
  readonly beside?: readonly Program[];
}
