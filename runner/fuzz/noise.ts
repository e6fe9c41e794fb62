import { type Program, stepsOf } from './gene.ts';
import type { Shrunk } from './failures.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';

/** Plain requests that show how many the target leaves unanswered whatever is sent, and milliseconds that they may take, a few at a time. */
const sample = { requests: 100, beside: 5, ms: 10_000 } as const;

/** How unlikely it has to be that noise alone brought about as many failures. */
const unlikely = 0.01;

/**
 * Whether a failure recurs no more often than the target leaves plain requests unanswered: one that drops every tenth
 * answer fails in any sequence now and then, in a long one nearly each time, and breaks nothing by it.
 *
 * @param lost - see {@link lostShare}
 */
export function isNoise(
  { finding, program, confirmed }: Pick<Shrunk<FuzzFound>, 'finding' | 'program' | 'confirmed'>,
  lost: number,
): boolean {
  if (!finding.absence || lost === 0) return false;
  const { failed, tries, requests } = confirmed;
  const share = 1 - (1 - lost) ** Math.max(requests, leastOf(program));
  // What was never tried again has been seen once.
  return tries === 0 || chanceOf({ failed, tries }, share) > unlikely;
}

/** The share of plain requests that are not answered. */
export async function lostShare<F extends FuzzFound>(target: FuzzTarget<F>): Promise<number> {
  const until = target.elapsed() + sample.ms;
  let asked = 0;
  let lost = 0;
  while (asked < sample.requests && target.elapsed() < until && !target.ended.aborted) {
    const answered = await Promise.all(Array.from({ length: sample.beside }, () => target.answers()));
    lost += answered.filter((isAnswered) => !isAnswered).length;
    asked += sample.beside;
  }
  return asked === 0 ? 0 : lost / asked;
}

/** A step sends once at least, and what is judged of it is looked at by another request. */
function leastOf(program: Program): number {
  return 2 * stepsOf(program).length;
}

/** How likely it is that so many of the tries fail, or more, where each fails with this probability. */
function chanceOf({ failed, tries }: { readonly failed: number; readonly tries: number }, probability: number): number {
  if (probability >= 1) return 1;
  let term = (1 - probability) ** tries;
  let fewer = 0;
  for (let count = 0; count < failed; count += 1) {
    fewer += term;
    term *= ((tries - count) / (count + 1)) * (probability / (1 - probability));
  }
  return 1 - fewer;
}
