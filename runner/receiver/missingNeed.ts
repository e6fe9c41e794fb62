import type { Need, ReceiverCheck } from '../../suites/check.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { ControlResult } from './receiverContext.ts';

/** Why a check that needs something cannot be observed without it, and the option that gives it. */
const missing: Readonly<Record<Need, string>> = {
  secret: 'needs the secret that the receiver verifies with: give --secret (or SEAWORTHY_SECRET)',
  probe: 'needs to see effects: give --probe with a URL or a command that counts how often an id took effect',
  'process-control': 'needs to kill and restart the receiver: give --start with the command that starts it, or --image',
  published: 'needs to know which sender addresses the receiver lets in: give --published',
  api: 'needs the receiver to use the API that the kit plays: give --api-listen, and configure the receiver with that address',
};

/** Why a check cannot be observed in a run; nothing where it can. */
export function missingNeed(
  plan: ReceiverPlan,
  found: ControlResult,
  { needs }: Pick<ReceiverCheck, 'needs'>,
): string | undefined {
  if (needs.includes('secret') && plan.secrets.length === 0) return missing.secret;
  if (needs.includes('process-control') && plan.targetProcess === undefined) return missing['process-control'];
  if (needs.includes('published') && plan.published.length === 0) return missing.published;
  if (needs.includes('api') && plan.api === undefined) return missing.api;
  if (!needs.includes('probe')) return undefined;
  return plan.probe === undefined ? missing.probe : found.probeTrouble;
}
