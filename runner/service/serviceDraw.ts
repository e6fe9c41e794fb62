import type { ServiceDraw } from '../../suites/serviceDraw.ts';
import type { ServicePlan } from './plan.ts';

/** What the checks of one run draw their cases from. */
export function serviceDraw(plan: ServicePlan, events: readonly string[]): ServiceDraw {
  const { contract, terms, trackable, untrackable, concurrency, intensity } = plan;
  return { contract, terms, events, trackable, untrackable, concurrency, intensity };
}
