import { confidedStandIns } from './confided.ts';
import { Secrets } from './secrets.ts';
import type { ServicePlan } from '../service/plan.ts';
import type { ReceiverPlan } from '../receiver/plan.ts';

/** All that a run of a receiver was given in confidence. */
export function secretsOf({ secrets, headers, probe, api, targetProcess }: ReceiverPlan): Secrets {
  return new Secrets(confidedStandIns({ secrets, headers, addresses: [probe, api?.recover], env: targetProcess?.env }));
}

/** All that a run of a service was given in confidence. */
export function secretsOfService({ token, emit, catcher, targetProcess }: ServicePlan): Secrets {
  return new Secrets(confidedStandIns({ token, addresses: [emit, catcher?.href], env: targetProcess?.env }));
}
