import type { ServiceCheck } from '../../suites/check.ts';
import type { Activity } from '../activity.ts';
import type { ServiceContext } from './context.ts';

/** Where the cases of a check get their places. */
export function activityOf({ needs, disturbs, singly, waits }: ServiceCheck, context: ServiceContext): Activity {
  if (needs.includes('life')) return context.solo;
  if (disturbs === true || (singly ?? false) !== false) return context.singly;
  return waits === true ? context.scenarios : context.calls;
}
