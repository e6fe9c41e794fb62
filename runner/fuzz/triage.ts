import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { stepsOf } from './gene.ts';
import type { RawFailure } from './failures.ts';
import type { Caused } from '../../suites/fuzz/fuzzing.ts';

/** Sequences that are played again, the shortest ones: where their waits are shared, and where they are not. */
const most = { shared: 48, own: 2 } as const;

/**
 * Plays each sequence that failed once more, alone: where many fail in a batch, some may have failed because of what went
 * on beside them.
 *
 * @returns those that failed again first, the shortest first
 */
export async function triage<F extends FuzzFound>(
  target: FuzzTarget<F>,
  failures: readonly RawFailure<F>[],
): Promise<readonly RawFailure<F>[]> {
  const shortest = failures
    .toSorted((one, other) => lengthOf(one) - lengthOf(other))
    .slice(0, target.sharesWaits ? most.shared : most.own);
  if (shortest.length === 0) return [];
  const played = await target.play(
    shortest.map(({ program }) => stepsOf(program)),
    true,
    { watched: shortest.some(({ finding }) => isDeath(finding)) },
  );
  target.forget();
  const sorted = shortest.map((raw, place) => {
    const { trial } = played[place]!;
    return { ...raw, recurred: trial.kind === 'broken' && trial.finding.cause === raw.finding.cause };
  });
  return sorted.toSorted((one, other) => Number(other.recurred) - Number(one.recurred));
}

function lengthOf({ program }: RawFailure<FuzzFound>): number {
  return program.steps.length;
}

/** The cause of a finding about a target that ended by itself, or does not come up again. */
export const death = 'died';

export function isDeath({ cause }: Caused): boolean {
  return cause === death;
}
