import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { type Program, stepsOf } from './program.ts';

/** A sequence that was at work in a batch in which the target died. */
export interface Suspected {
  readonly program: Program;
  /** Which sequence of the run it was. */
  readonly index: number;
}

/** Sequences that are played one after the other, at most. */
const few = 4;

/**
 * Looks for the sequence that the target dies of: plays halves of the batch side by side until few are left, then these
 * alone.
 *
 * @returns nothing where it dies of none of them
 */
export async function culpritOf<F extends FuzzFound>(
  target: FuzzTarget<F>,
  suspected: readonly Suspected[],
  goesOn: () => boolean,
): Promise<(Suspected & { readonly finding: F }) | undefined> {
  let left = suspected;
  while (left.length > few) {
    const middle = left.length >> 1;
    const half = await deadlyOf(target, [left.slice(0, middle), left.slice(middle)], goesOn);
    if (half === undefined) return undefined;
    left = half;
  }
  for (const one of left) {
    if (!goesOn()) return undefined;
    const { deaths } = target;
    const [played] = await target.play([stepsOf(one.program)], true);
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
    );
    target.forget();
    if (target.deaths > deaths) return part;
  }
  return undefined;
}
