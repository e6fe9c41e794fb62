import { Unproven } from '../../suites/check.ts';
import { receiverObservations } from '../../suites/receiver/observations.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';
import { RunEnded } from '../engine/runEnded.ts';

/** Makes the observations that belong to the selected checks, one after the other, once every check has ended. */
export async function makeObservations(context: ReceiverContext, found: ControlResult): Promise<void> {
  const { plan, activity } = context;
  const selected = new Set(plan.checks.map(({ id }) => id));
  const possible = receiverObservations.filter(
    ({ beside, needsSecret }) => selected.has(beside) && (!needsSecret || plan.secrets.length > 0),
  );
  for (const [index, observation] of possible.entries()) {
    const kit = new CaseKit(context, { check: observation.beside, case: -1 - index }, found);
    await activity.run(() => observation.observe(kit)).catch(ignoreEnd);
  }
  observeLatency(context);
}

/** GAP-17 of a contract is about time-outs: how long the slowest answer took tells what would be too short. */
function observeLatency(context: ReceiverContext): void {
  const { log, plan } = context;
  if (log.slowest === 0) return;
  const gap = plan.assumptions.find(({ key }) => key === 'delivery.timeout')?.gap;
  if (gap === undefined) return;
  const value = `the slowest accepted delivery was answered after ${Math.ceil(log.slowest)} ms`;
  context.emit({
    type: 'observed',
    gap,
    value,
    evidence: `${log.count} deliveries; the time-out was ${plan.timeout} ms`,
  });
}

function ignoreEnd(error: unknown): void {
  if (!(error instanceof RunEnded) && !(error instanceof Unproven)) throw error;
}
