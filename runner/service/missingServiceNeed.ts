import type { ServiceCheck, ServiceNeed } from '../../suites/check.ts';
import type { EventsFound } from './control.ts';
import type { ServicePlan } from './plan.ts';

/** Why a check cannot be observed in a run, and the option that gives it what it needs; nothing where it can. */
export function missingServiceNeed(
  plan: ServicePlan,
  events: EventsFound,
  { needs }: Pick<ServiceCheck, 'needs'>,
): string | undefined {
  return needs.map((need) => missing(plan, events, need)).find((reason) => reason !== undefined);
}

function missing(
  { trackable, untrackable, emit, targetProcess }: ServicePlan,
  events: EventsFound,
  need: ServiceNeed,
): string | undefined {
  if (need === 'process-control' && targetProcess === undefined)
    return 'needs to kill and restart the service: give --start with the command that starts it, or --image';
  if (need === 'trackable' && trackable.length === 0)
    return 'needs a number that the service finds: give --trackable <SCAC:NUMBER>';
  if (need === 'untrackable' && untrackable.length === 0)
    return 'needs a number that the service does not find: give --untrackable <SCAC:NUMBER>';
  if (need === 'any-event' && emit === undefined)
    return 'needs a way to raise each event: give --emit with a URL or a command';
  const happens = need === 'event' || need === 'any-event';
  return happens && !events.possible ? events.reason : undefined;
}
