import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { type Program, stepsOf } from './gene.ts';

/** Sequences of which one fails while the others are played at the same time. */
export interface Together<F> {
  /** The one that failed. */
  readonly program: Program;
  readonly beside: readonly Program[];
  readonly finding: F;
  /** How often one of them failed among some tries, with fresh ids each. */
  readonly failed: number;
  readonly tries: number;
}

/** How often the whole batch is played again (once where it may have been chance), a half of it, and what is left. */
const tries = { all: 3, doubtful: 1, half: 2, left: 4 } as const;

/** Sequences that are few enough. */
const few = 2;

/** What came of playing sequences side by side several times. */
interface Seen<F> extends Pick<Together<F>, 'failed' | 'tries'> {
  readonly last?: { readonly program: Program; readonly finding: F };
}

/**
 * Looks for sequences of a batch that fail only side by side: plays the batch again, then halves of it, as long as one of
 * them fails in the same way.
 *
 * @param how - whether something was missing, which may have been chance; whether there is time to look for fewer
 * @returns nothing where none failed again
 */
export async function besideOthers<F extends FuzzFound>(
  target: FuzzTarget<F>,
  batch: readonly Program[],
  isSame: (finding: F) => boolean,
  { absence, goesOn }: { readonly absence: boolean; readonly goesOn: () => boolean },
): Promise<Together<F> | undefined> {
  const again = (programs: readonly Program[], most: number, enough = 1): Promise<Seen<F>> =>
    playedTogether(target, programs, isSame, { most, enough });
  let programs = batch;
  let seen = await again(programs, absence ? tries.doubtful : tries.all);
  if (seen.last === undefined) return undefined;
  while (programs.length > few && goesOn()) {
    const middle = programs.length >> 1;
    const first = await again(programs.slice(0, middle), tries.half);
    const half = first.last ? first : await again(programs.slice(middle), tries.half);
    if (half.last === undefined) break;
    programs = first.last ? programs.slice(0, middle) : programs.slice(middle);
    seen = half;
  }
  const rate = await again(programs, tries.left, tries.left);
  const { program, finding } = (rate.last ?? seen.last)!;
  const beside = programs.filter((each) => each !== program);
  return { program, finding, beside, failed: rate.failed, tries: rate.tries };
}

/** Plays them until they have failed often enough. */
async function playedTogether<F extends FuzzFound>(
  target: FuzzTarget<F>,
  programs: readonly Program[],
  isSame: (finding: F) => boolean,
  { most, enough }: { readonly most: number; readonly enough: number },
): Promise<Seen<F>> {
  let seen: Seen<F> = { failed: 0, tries: 0 };
  while (seen.tries < most && seen.failed < enough && !target.ended.aborted) {
    const played = await target.play(programs.map(stepsOf), false);
    target.forget();
    const failed = played.flatMap(({ trial }, place) =>
      trial.kind === 'broken' && isSame(trial.finding) ? [{ program: programs[place]!, finding: trial.finding }] : [],
    );
    const last = failed[0] ?? seen.last;
    seen = { failed: seen.failed + Math.min(failed.length, 1), tries: seen.tries + 1, ...(last && { last }) };
  }
  return seen;
}
