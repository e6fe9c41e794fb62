import { Unproven } from '../check.ts';
import type { ServiceKit, TriggeredEvent, Webhook } from '../serviceKit.ts';

/**
 * How many notifications of an event may come to a webhook after it was triggered although they were made before: a service
 * sends to many webhooks at the same time, and to each in its own time. The monitor had all of them before the next event
 * was triggered, so that no more can be missing here. To be called when the triggered event has just been awaited.
 *
 * @param known - how many the monitor had been sent before the webhook was registered
 */
export function underWay(
  kit: ServiceKit,
  { endpoint }: Webhook,
  { event, at, monitored }: TriggeredEvent,
  known: number,
): number {
  const happened = kit.monitored(event).length - monitored.length - known;
  const came = kit.notifications(endpoint).filter((each) => each.event === event && each.attempts[0].at < at);
  return Math.max(0, happened - came.length);
}

/** @throws Unproven where something that happened before the webhook turned inactive may still come */
export function expectNothingUnderWay(...asked: Parameters<typeof underWay>): void {
  if (underWay(...asked) > 0)
    throw new Unproven('what had happened before the webhook turned inactive had not come yet');
}
