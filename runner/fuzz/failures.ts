import type { FuzzFailed } from '../../reports/model/events.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { SavedStep } from '../engine/savedCase.ts';
import type { Confirmed } from './confirmProgram.ts';
import { fuzzCheckId, type FuzzFound, type FuzzTarget } from './fuzzTarget.ts';
import { kindsOf, type Program } from './gene.ts';
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

/** Distinguishes failures by what they break, how, and by which kinds of steps. */
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

/**
 * Puts a failure into words, and keeps it.
 *
 * @param settling - `isNoise`: whether it recurs no more often than the target's own noise
 * @returns nothing where it is known, or shows nothing but that the target was lost
 */
export function tellFailure<F extends FuzzFound>(
  target: FuzzTarget<F>,
  failures: Failures,
  raw: RawFailure<F>,
  { program, beside = [], cut = false, finding: seen, confirmed: { failed, tries, finding = seen } }: Shrunk<F>,
  { requirementOf, isNoise = false }: Pick<Settling<F>, 'requirementOf'> & { readonly isNoise?: boolean },
): Omit<FuzzFailed, 'ms' | 'type'> | undefined {
  const { isLost } = target;
  // A target that answers nothing any more broke nothing by that which a sequence is to blame for.
  if (isLost && raw.unanswered) return undefined;
  const cameAgain = failed > 0 || raw.recurred || program !== raw.program;
  const requirement = requirementOf(finding) ?? raw.requirement;
  const mayBeChance = finding.absence || (isLost && finding.cause !== 'died');
  const outcome = mayBeChance && (isNoise || (tries === 0 ? !cameAgain : failed === 0)) ? 'flaky' : 'failed';
  const sort = { requirement, cause: finding.cause, kinds: kindsOf(program) };
  if (outcome === 'failed' ? failures.isKnown(sort) : failures.isFlaky(sort)) return undefined;
  const rate = tries === 0 && cameAgain ? { failed: 1, tries: 1 } : { failed, tries };
  const sequence = savedSteps(target, program);
  const counterexample = target.tell({
    check: checkOf(target, requirement),
    number: failures.numberOf(requirement),
    finding: rate.tries > 0 && rate.failed === 0 && outcome === 'failed' ? seenOnce(finding) : finding,
    sequence,
    beside: beside.map((other) => savedSteps(target, other)),
    rate,
    index: raw.index,
  });
  failures.add({ ...sort, outcome, rate, counterexample });
  return {
    check: fuzzCheckId(target.model.subject, requirement),
    cause: finding.cause,
    steps: sequence.map(({ words }) => words),
    found: raw.program.steps.length,
    ...(cut && { cut }),
    at: raw.at,
    ...(beside.length > 0 && { beside: beside.length }),
    rate,
    outcome,
    counterexample,
  };
}

/** A fact that was seen, though it did not come again. */
function seenOnce<F extends FuzzFound>(finding: F): F {
  return { ...finding, actual: `${finding.actual} (seen once, while other sequences were played, too)` };
}

function savedSteps<F extends FuzzFound>({ model }: FuzzTarget<F>, { steps }: Program): readonly SavedStep[] {
  const all = steps.map(({ step }) => step);
  return steps.map(({ step, gene: { seed, path } }, at) => {
    return { words: model.describe(step, all.slice(0, at)), step, seed, path };
  });
}

function checkOf<F extends FuzzFound>({ model, contract }: FuzzTarget<F>, requirement: string) {
  return { id: fuzzCheckId(model.subject, requirement), title: contract.requirement(requirement).statement };
}
