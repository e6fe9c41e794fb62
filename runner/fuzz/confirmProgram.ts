import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { type Program, stepsOf, drawStep } from './gene.ts';

/** How often a sequence failed in the same way among some tries, alone and with fresh ids each. */
export interface Confirmed<F> {
  readonly failed: number;
  readonly tries: number;
  /** Requests of the try that sent the most. */
  readonly requests: number;
  /** The last of these failures. */
  readonly finding?: F;
}

/** Tries of a sequence that failed each time, and of one that did not. */
const tries = { certain: 4, most: 10 } as const;

/** How a sequence is tried again. */
export interface Confirming {
  /** Whether it may fail each time: then it is tried a few times first. Else all tries are made. */
  readonly hopeful: boolean;
  /** Whether it is enough that it failed once where tries take long. */
  readonly once?: boolean;
  /** Whether there is time for more tries than a few, once it has failed. Default: there is. */
  readonly goesOn?: () => boolean;
  /** Whether the target may die of it, so that each try is waited for. Default false. */
  readonly watched?: boolean;
}

/** Plays a sequence again, alone: a few times where it fails each time, or where each try takes long, else ten times. */
export async function confirmProgram<F extends FuzzFound>(
  target: FuzzTarget<F>,
  program: Program,
  isSame: (finding: F) => boolean,
  { hopeful, once = false, goesOn = () => true, watched = false }: Confirming,
): Promise<Confirmed<F>> {
  const slowly = once && controlsProcess(target, program);
  // Whether a target dies of it takes a moment to see each time.
  const most = watched ? tries.certain : tries.most;
  const atOnce = hopeful ? [1, tries.certain - 1, most - tries.certain] : [most];
  let confirmed: Confirmed<F> = { failed: 0, tries: 0, requests: 0 };
  for (const count of slowly ? Array.from({ length: most }, () => 1) : atOnce) {
    if (count === 0 || target.ended.aborted || (slowly && confirmed.failed > 0)) break;
    const few = confirmed.tries >= tries.certain && confirmed.failed > 0;
    if (few && (confirmed.failed === confirmed.tries || !goesOn())) break;
    confirmed = await again(target, program, isSame, confirmed, { count, watched });
  }
  return confirmed;
}

async function again<F extends FuzzFound>(
  target: FuzzTarget<F>,
  program: Program,
  isSame: (finding: F) => boolean,
  before: Confirmed<F>,
  { count, watched }: { readonly count: number; readonly watched: boolean },
): Promise<Confirmed<F>> {
  // Where waits are not shared, several tries are made side by side.
  const beside = !target.sharesWaits && count > 1 && !watched && !controlsProcess(target, program);
  const programs = Array.from({ length: count }, (_, index) => (beside ? inLane(target, program, index) : program));
  const played = await target.play(programs.map(stepsOf), !beside, { watched });
  target.forget();
  const shown = played.filter(({ trial }) => trial.kind === 'held' || trial.kind === 'broken');
  const findings = shown.flatMap(({ trial }) =>
    trial.kind === 'broken' && isSame(trial.finding) ? [trial.finding] : [],
  );
  const finding = findings.at(-1) ?? before.finding;
  return {
    failed: before.failed + findings.length,
    tries: before.tries + shown.length,
    requests: Math.max(before.requests, ...played.map(({ requests }) => requests)),
    ...(finding && { finding }),
  };
}

function controlsProcess<F extends FuzzFound>({ model }: FuzzTarget<F>, program: Program): boolean {
  return stepsOf(program).some((step) => model.controlsProcess(step));
}

/** The same sequence with the events of another lane, so that what is played side by side does not get into each other's way. */
export function inLane<F extends FuzzFound>(target: FuzzTarget<F>, program: Program, lane: number): Program {
  const { lanes } = target;
  const asDrawn = program.steps.every(({ step, value }) => step === value.value);
  if (lanes === 1 || !asDrawn) return program;
  const kinds = target.kinds(false, lane % lanes);
  const steps = program.steps.flatMap((drawn) => (drawn.fixed ? drawn : (drawStep(kinds, drawn.gene) ?? [])));
  return steps.length === program.steps.length ? { steps } : program;
}
