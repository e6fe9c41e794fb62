import { passwordStandIns } from './passwordStandIns.ts';
import { headerStandIns } from './hiddenHeaders.ts';
import type { ReceiverPlan } from './plan.ts';
import type { ReceiverSettings } from './receiverOptions.ts';
import { secretStandIns, tellingStandIns, type StandIn } from './withoutSecrets.ts';

/** What is shown in any text in place of what a run of a receiver was told in confidence, beside its secrets. */
export function privateStandIns({
  headers,
  probe,
  api,
}: Pick<ReceiverPlan, 'headers' | 'probe' | 'api'>): readonly StandIn[] {
  return [...tellingStandIns(headerStandIns(headers)), ...passwordStandIns([probe, api?.recover])];
}

/** The same with its secrets, in what the user has typed. */
export function typedStandIns({
  secret,
  header,
  probe,
  recover,
}: Pick<ReceiverSettings, 'secret' | 'header' | 'probe' | 'recover'>): readonly StandIn[] {
  return [...secretStandIns(secret), ...tellingStandIns(headerStandIns(header)), ...passwordStandIns([probe, recover])];
}
