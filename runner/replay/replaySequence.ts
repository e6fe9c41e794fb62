import { Unobservable, Unproven } from '../../suites/check.ts';
import { CaseTrier } from '../engine/caseTrier.ts';
import { cannotObserve, cannotRun, replayed, triedAgain, type Replayed } from '../engine/replayed.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import type { SideCheck } from '../engine/side.ts';
import type { FuzzSubject } from '../fuzz/fuzzPlan.ts';
import type { FuzzFound, FuzzTarget } from '../fuzz/fuzzTarget.ts';
import type { FuzzModels } from '../fuzz/fuzzChecks.ts';
import { searchable } from '../fuzz/searchable.ts';
import { sequenceCase, type SequenceCase, type SequenceCheck } from '../fuzz/sequencePlayer.ts';
import type { SideFound, SideTarget } from '../fuzz/sideTarget.ts';
import { unplayable } from '../fuzz/unplayable.ts';
import type { Fuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { RequirementId } from '../../spec/names.ts';

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
