import type { Caused } from '../../suites/fuzz/fuzzing.ts';
import type { RawFailure } from './failures.ts';
import type { FuzzFound, FuzzTarget, Played } from './fuzzTarget.ts';
import { type Program, stepsOf } from './gene.ts';

/** A sequence that was at work in a batch in which the target died. */
export interface Suspected {
  readonly program: Program;
  /** Which sequence of the run it was. */
  readonly index: number;
  /** Whether the target died while it alone was at work, as far as could be seen. */
  readonly accused: boolean;
}

/** The sequences of a batch, the first of which was the one with this number. */
export function suspectedOf(
  programs: readonly Program[],
  played: readonly Played<FuzzFound>[],
  index: number,
): readonly Suspected[] {
  return programs.map((program, place) => {
    const { trial } = played[place]!;
    return { program, index: index + place, accused: trial.kind === 'broken' && isDeath(trial.finding) };
  });
}

/** Sequences that are played one after the other, at most. */
const few = 4;

/**
 * Looks for the sequence that the target dies of: plays those that are accused alone, then halves of the batch side by
 * side until few are left, then these alone.
 *
 * @returns nothing where it dies of none of them
 */
export async function culpritOf<F extends FuzzFound>(
  target: FuzzTarget<F>,
  suspected: readonly Suspected[],
  goesOn: () => boolean,
): Promise<(Suspected & { readonly finding: F }) | undefined> {
  // What was played before may still be what it dies of.
  if (suspected.length > 0) await target.play([], false, { watched: true });
  const accused = suspected.filter((one) => one.accused).toSorted(byLength);
  const known = await deadlyAlone(target, accused.slice(0, few), goesOn);
  if (known) return known;
  let left = suspected;
  while (left.length > few) {
    const middle = left.length >> 1;
    const half = await deadlyOf(target, [left.slice(0, middle), left.slice(middle)], goesOn);
    if (half === undefined) return undefined;
    left = half;
  }
  return deadlyAlone(target, left, goesOn);
}

function byLength({ program: one }: Suspected, { program: other }: Suspected): number {
  return one.steps.length - other.steps.length;
}

/** The first one of which the target dies while it alone is played. */
async function deadlyAlone<F extends FuzzFound>(
  target: FuzzTarget<F>,
  suspected: readonly Suspected[],
  goesOn: () => boolean,
): Promise<(Suspected & { readonly finding: F }) | undefined> {
  for (const one of suspected) {
    if (!goesOn()) return undefined;
    const { deaths } = target;
    const [played] = await target.play([stepsOf(one.program)], true, { watched: true });
    target.forget();
    if (target.deaths > deaths && played?.trial.kind === 'broken') return { ...one, finding: played.trial.finding };
  }
  return undefined;
}

/** The first part of which the target dies. */
async function deadlyOf<F extends FuzzFound>(
  target: FuzzTarget<F>,
  parts: readonly (readonly Suspected[])[],
  goesOn: () => boolean,
): Promise<readonly Suspected[] | undefined> {
  for (const part of parts) {
    if (!goesOn()) return undefined;
    const { deaths } = target;
    await target.play(
      part.map(({ program }) => stepsOf(program)),
      false,
      { watched: true },
    );
    target.forget();
    if (target.deaths > deaths) return part;
  }
  return undefined;
}

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
