import { shrunkCases, type GeneratedCase } from './cases.ts';
import type { Trial, Failure, Found } from './trial.ts';

/** How long a smaller case is looked for. */
export interface Shrinking {
  /** Milliseconds at most. */
  readonly ms: number;
  /** Candidates that are tried side by side. */
  readonly width: number;
  /** How often a candidate is tried before it counts as one that holds. */
  readonly tries: number;
}

/**
 * Takes smaller failing neighbours of a case as long as there are any, a few at a time, the first of each few that
 * fails in the same way.
 */
export async function shrunk<F extends Found>(
  failure: Failure<F>,
  attempt: (candidate: GeneratedCase) => Promise<Trial<F>>,
  { ms, width, tries }: Shrinking,
): Promise<Failure<F>> {
  const until = performance.now() + ms;
  let smallest = failure;
  search: for (;;) {
    const candidates = shrunkCases(smallest.case);
    for (;;) {
      const few = nextFew(candidates, width);
      if (few.length === 0) return smallest;
      for (let tried = 0; tried < tries; tried++) {
        if (performance.now() >= until) return smallest;
        const smaller = firstFailure(failure, few, await Promise.all(few.map(attempt)));
        if (smaller === undefined) continue;
        smallest = smaller;
        continue search;
      }
    }
  }
}

function firstFailure<F extends Found>(
  failure: Failure<F>,
  cases: readonly GeneratedCase[],
  trials: readonly Trial<F>[],
): Failure<F> | undefined {
  const place = trials.findIndex((trial) => trial.kind === 'broken' && sameCause(trial.finding, failure.finding));
  const trial = trials[place];
  return trial?.kind === 'broken' ? { case: cases[place]!, finding: trial.finding } : undefined;
}

/** The next values of an iterator, so many at most. Not `Iterator.prototype.take`, which closes the iterator behind it. */
export function nextFew<T>(iterator: Iterator<T>, count: number): readonly T[] {
  const few: T[] = [];
  while (few.length < count) {
    const next = iterator.next();
    if (next.done) break;
    few.push(next.value);
  }
  return few;
}

function sameCause(one: Found, other: Found): boolean {
  return one.requirements[0] === other.requirements[0] && one.absence === other.absence;
}
