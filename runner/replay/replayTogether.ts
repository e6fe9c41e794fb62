import { cannotRun, type Replayed } from '../engine/replayed.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import type { FuzzFound, FuzzTarget } from '../fuzz/fuzzTarget.ts';

/** How often sequences are played again that did not fail yet. */
const tries = 5;

/**
 * Plays saved sequences that failed only side by side: at the same time again, several times.
 *
 * @returns nothing where the run ended meanwhile
 */
export async function replayTogether<F extends FuzzFound>(
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
