import fc from 'fast-check';

import type { RequirementId } from '../../spec/names.ts';
import { Unobservable, Unproven } from '../../suites/check.ts';
import type { Fuzzing, FuzzStep, StepKind } from '../../suites/fuzz/fuzzing.ts';
import { CaseTrier } from '../engine/caseTrier.ts';
import { cannotObserve, cannotRun, replayed, type Replayed, triedAgain } from '../engine/replayed.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import type { SideCheck } from '../engine/side.ts';
import type { FuzzModels, FuzzFound, FuzzTarget } from '../fuzz/fuzzTarget.ts';
import type { FuzzSubject } from '../fuzz/fuzzPlan.ts';
import { searchable } from '../fuzz/runFuzz.ts';
import { sequenceCase, type SequenceCase, type SequenceCheck } from '../fuzz/sequencePlayer.ts';
import type { SideFound, SideTarget } from '../fuzz/sideTarget.ts';
import { messageOf } from '../../spec/messageOf.ts';

/**
 * Plays a saved sequence again, as it stands in the file: the positive control, then its steps alone, with fresh ids.
 * One that did not fail each time when it was found is played several times.
 *
 * @param subject - its plan's checks do not matter
 * @param models - what right targets do. Default: those of the kit
 * @throws UsageError where the target cannot be started, or the kit cannot listen, as the user asked for
 * @throws whatever a fault of the kit throws
 */
export async function replaySequence(
  subject: FuzzSubject,
  saved: SavedCase,
  models: Partial<FuzzModels> = {},
): Promise<Replayed> {
  const { signal } = subject.plan;
  const target = searchable(subject, models);
  return replayed(signal, ({ settle, ...parts }) =>
    target.inSession(signal, { ...parts, work: async (opened) => settle(await playedAgain(opened, saved)) }),
  );
}

async function playedAgain<C extends SideCheck<Draw>, Kit, Draw, F extends SideFound>(
  target: SideTarget<C, Kit, Draw, F>,
  saved: SavedCase,
): Promise<Replayed | undefined> {
  const { model, side } = target;
  if (saved.sequence === undefined) return cannotRun('the file holds no sequence');
  const steps = saved.sequence.map(({ step }) => step);
  const trouble = unplayable(model, target.allKinds, saved);
  if (trouble !== undefined) return cannotRun(trouble);
  const controlsProcess = steps.some((step) => model.controlsProcess(step));
  const check = target.asCheck(replayedCheck(model, saved, controlsProcess));
  const missing = side.missing(check);
  if (missing !== undefined) return cannotObserve(missing);
  if (saved.beside) return replayTogether(target, saved);
  const { rate } = saved;
  const timed = rate !== undefined && rate.failed < rate.tries;
  return triedAgain({ timed }, new CaseTrier(side, check, true), sequenceCase(steps, 0).generated);
}

/** How often sequences are played again that did not fail yet. */
const tries = 5;

/**
 * Plays saved sequences that failed only side by side: at the same time again, several times.
 *
 * @returns nothing where the run ended meanwhile
 */
async function replayTogether<F extends FuzzFound>(
  target: FuzzTarget<F>,
  { sequence = [], beside = [], cause, requirements: [broken = target.model.fatal] }: SavedCase,
): Promise<Replayed | undefined> {
  const all = [sequence, ...beside].map((steps) => steps.map(({ step }) => step));
  let judged = false;
  for (let count = 0; count < tries; count++) {
    const played = await target.play(all, false);
    target.forget();
    for (const { trial } of played) {
      if (trial.kind === 'errored') throw trial.error;
      if (trial.kind === 'broken' && trial.finding.cause === cause) return { outcome: 'fails', finding: trial.finding };
    }
    if (target.ended.aborted) return undefined;
    judged ||= played.some((each) => each.judged.includes(broken));
  }
  return judged ? { outcome: 'fixed', tries } : cannotRun(`nothing of it shows whether ${broken} is broken`);
}

/** A saved sequence as a check. It shows nothing where the requirement that was broken cannot be seen. */
function replayedCheck<Kit, Source, Found extends object>(
  model: Fuzzing<Kit, Source, Found>,
  { check: id, title, requirements }: SavedCase,
  controlsProcess: boolean,
): SequenceCheck<Kit, Found> {
  // A file of another version may name what this one does not know: that is then never judged.
  const [broken = model.fatal] = requirements as readonly RequirementId[];
  return {
    id,
    title,
    requirements: [broken],
    needs: controlsProcess ? ['process-control'] : [],
    fatal: model.fatal,
    hint: '',
    cases: () => [],
    run: async (kit: Kit, value: unknown): Promise<Found | undefined> => {
      const { steps } = value as SequenceCase<Found>;
      const { finding, judged } = await model.run(kit, steps).catch((error: unknown) => {
        // What stands in a file may be anything: a damaged step is no fault of the kit.
        if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
        throw new Unobservable(`a step of the file cannot be played as it stands: ${error.message}`);
      });
      if (finding === undefined && broken !== model.fatal && !judged.includes(broken))
        throw new Unproven(
          `nothing of it shows whether ${broken} is broken: see that all options of that run are given`,
        );
      return finding;
    },
  };
}

/** What a file is checked against. */
interface Playing {
  readonly knows?: readonly string[];
  forbids?(step: FuzzStep): string | undefined;
  describe(step: FuzzStep): string;
}

/** Steps of a kind that are drawn to see what each of them has. */
const samples = { seed: 1, numRuns: 200 } as const;

/**
 * Why the steps of a saved case cannot be played: this version does not know one of them, or one was damaged.
 *
 * @param kinds - those that this run can draw
 * @returns nothing where all of them can be played
 */
export function unplayable(
  model: Playing,
  kinds: readonly StepKind[],
  { sequence = [], beside = [] }: Pick<SavedCase, 'sequence' | 'beside'>,
): string | undefined {
  const drawn = new Map(kinds.map(({ kind, steps }) => [kind, steps]));
  for (const [row, steps] of [sequence, ...beside].entries()) {
    for (const [index, { step }] of steps.entries()) {
      const place = row === 0 ? `step ${index + 1}` : `step ${index + 1} of sequence ${row} beside it`;
      if (model.knows && !model.knows.includes(step.do))
        return `${place} is one that this version of the kit does not know: ${step.do}`;
      const damage = damageOf(step, drawn.get(step.do)) ?? indescribable(step, model);
      if (damage !== undefined) return `${place} (${step.do}) is damaged: ${damage}`;
      const forbidden = model.forbids?.(step);
      if (forbidden !== undefined) return `${place} (${step.do}) is not played: ${forbidden}`;
    }
  }
  return undefined;
}

/** A member that all steps of its kind have, and in the same form, is not there, or in another form. */
function damageOf(step: FuzzStep, steps: StepKind['steps'] | undefined): string | undefined {
  if (steps === undefined) return undefined;
  const all = fc.sample(steps, samples).map(membersOf);
  const members = membersOf(step);
  for (const name of Object.keys(all[0]!)) {
    const forms = new Set(all.map((one) => formOf(one[name])));
    if (!forms.has('nothing') && members[name] === undefined) return `it has no "${name}"`;
    const [form] = forms;
    const isFixed = forms.size === 1 && form !== 'null';
    if (isFixed && formOf(members[name]) !== form) return `its "${name}" has to be ${form}`;
  }
  return undefined;
}

function membersOf(step: FuzzStep): Readonly<Record<string, unknown>> {
  return { ...step };
}

function formOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function indescribable(step: FuzzStep, model: Playing): string | undefined {
  try {
    model.describe(step);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
