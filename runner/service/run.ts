import { type Assumption, assumptionValue } from '../../spec/assumptions.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import type { ServiceContext } from './context.ts';
import type { AssumptionKey } from '../../spec/names.ts';

/** Which case of which check something belongs to; `control` where the engine itself is at work. */
export interface Owner {
  readonly check: string;
  readonly case: number;
}

/** The value of an assumption of this run. */
export function assumed({ plan }: Pick<ServiceContext, 'plan'>, key: AssumptionKey): string {
  return assumptionValue(plan.assumptions, key);
}

/** The same with where it comes from. */
export function assumption({ plan }: Pick<ServiceContext, 'plan'>, key: AssumptionKey): Assumption | undefined {
  return plan.assumptions.find((each) => each.key === key);
}

/** The end of a run whose target stopped taking connections. */
export function serviceGone(when: string): RunEnd {
  return {
    reason: `the service stopped taking connections ${when}`,
    advice: 'Restart the service, look at its log for the moment at which it ended, and run again.',
  };
}
