import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSummary } from '../../reports/model/summary.ts';
import { type ReceiverPlanOptions, receiverPlan } from '../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../runner/receiver/runReceiver.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import type { StartedReceiver } from './receivers/start.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** How thoroughly the proofs are made: `quick` in CI, `standard` with `npm run proof`. */
export const intensity = process.env['SEAWORTHY_PROOF'] === 'standard' ? 'standard' : 'quick';

/** Whether what costs more than CI has for it is tried: with `npm run proof`. */
export const isProof = intensity === 'standard';

/** The cases that cost more than CI has for them, with `npm run proof`. */
export function further<T>(...cases: readonly T[]): readonly T[] {
  return isProof ? cases : [];
}

/** For proofs that ask whether a fault is found, and not how small: in CI no counterexample is shrunk. */
export const asFound = intensity === 'quick' ? { shrinkTime: 0 } : {};

/** The secret that every receiver of the proofs is given, where nothing else is said. */
export const secret = 'a secret of the proofs';

/** The checks that a URL is enough for, with its secret and its probe. */
export const urlChecks = receiverChecks.filter(({ needs }) =>
  needs.every((need) => need === 'secret' || need === 'probe'),
);

/** The ids of those that need process control of the receiver, and neither an API nor sender addresses. */
export const processChecks = receiverChecks
  .filter(({ needs }) => needs.includes('process-control'))
  .filter(({ needs }) => !needs.some((need) => ['api', 'secret-variable', 'published'].includes(need)))
  .map(({ id }) => id);

/** Tests a receiver against the contract with every check, and stops it. */
export async function testReceiver(receiver: StartedReceiver, options: ReceiverPlanOptions = {}): Promise<RunSummary> {
  const { url, probe } = receiver;
  try {
    const directory = join(tmpdir(), 'seaworthy-proof');
    const plan = await receiverPlan(url, { secret: [secret], probe, intensity, directory, ...options });
    const summary = createSummary();
    for await (const event of runReceiver(plan)) summary.add(event);
    return summary.summary();
  } finally {
    await receiver.close();
  }
}

/** What a summary shows broken, each with the check that says so: for a message that tells all. */
export function complaints({ checks }: RunSummary): readonly string[] {
  return checks
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ id, outcome, reason, counterexample }) => `${id} ${outcome}: ${reason ?? counterexample?.summary ?? ''}`);
}
