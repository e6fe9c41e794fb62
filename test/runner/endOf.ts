import type { CheckFinished, RunEvent } from '../../reports/model/events.ts';

/** How a check of a run ended. */
export function endOf(events: readonly RunEvent[], check: string): CheckFinished {
  return events.filter((event) => event.type === 'check.finished').find((event) => event.check === check)!;
}
