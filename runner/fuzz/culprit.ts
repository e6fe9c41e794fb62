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

/** Sequences of which one fails while the others are played at the same time. */
interface Together<F> {
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

/** Sequences side by side that are few enough. */
const fewTogether = 2;

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
  while (programs.length > fewTogether && goesOn()) {
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
