import { passwordStandIns } from './addressPasswords.ts';
import { headerStandIns } from './hiddenHeaders.ts';
import type { ReceiverPlan } from './plan.ts';
import type { ReceiverSettings } from './receiverOptions.ts';
import { secretStandIns, type StandIn } from './withoutSecrets.ts';

/** What is shown in place of all that a run of a receiver was told in confidence, but for its secrets. */
export function privateStandIns({
  headers,
  probe,
  api,
}: Pick<ReceiverPlan, 'headers' | 'probe' | 'api'>): readonly StandIn[] {
  return [...headerStandIns(headers), ...passwordStandIns([probe, api?.recover])];
}

/** The same with its secrets, before there is a plan. */
export function settledStandIns({
  secret,
  header,
  probe,
  recover,
}: Pick<ReceiverSettings, 'secret' | 'header' | 'probe' | 'recover'>): readonly StandIn[] {
  return [...secretStandIns(secret), ...headerStandIns(header), ...passwordStandIns([probe, recover])];
}
