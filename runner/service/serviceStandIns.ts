import { passwordStandIns } from '../passwordStandIns.ts';
import type { StandIn } from '../withoutSecrets.ts';
import type { ServicePlan } from './plan.ts';

/** What is shown in any text in place of what a run of a service was told in confidence, beside its API key. */
export function serviceStandIns({ emit, catcher }: Pick<ServicePlan, 'emit' | 'catcher'>): readonly StandIn[] {
  return passwordStandIns([emit, catcher?.href]);
}
