import type { Json } from '../../generators/json/json.ts';
import { type ServiceFinding, unlessUnobservable, Unproven } from '../check.ts';
import type { Caught } from '../exchange.ts';
import { finding } from '../finding.ts';
import type { ServiceKit, Webhook, TriggeredEvent } from '../serviceKit.ts';

/** Whether the service switched the webhook off: it then gets nothing, and that is allowed (GAP-5). */
export async function isInactive(kit: ServiceKit, webhook: Webhook): Promise<boolean> {
  return kit.terms.webhook.members.active !== undefined && isShownInactive(kit, await kit.current(webhook));
}

/** A delivery of what happened while the webhook was inactive. */
export function notifiedWhileInactive(webhook: Webhook, caught: Caught, difference: string): ServiceFinding {
  return finding('WHK-6', {
    expected: 'nothing that happens while the webhook is inactive is sent to it',
    actual: 'a notification of what happened then came',
    exchanges: [webhook.creation, caught],
    difference,
    // What other cases ask for at the same time (samples) may have strayed here: it has to recur alone.
    absence: true,
    hangsOnTime: true,
  });
}

/** What is wrong where a webhook was turned off by an update that was taken, and is shown as active. */
export async function hintOfActive(kit: ServiceKit, webhook: Webhook): Promise<{ readonly hint?: string }> {
  const shown = await kit.current(webhook).catch(unlessUnobservable);
  return shown !== undefined && kit.member(shown, 'active') === true ? { hint: notStored } : {};
}

const notStored =
  'The webhook is still shown as active: the update was answered, and not stored. Code that leaves out what is empty ' +
  '(`if (active)`, `array_filter`, `active || current`) drops a false as well: ask whether the update names the member.';

/**
 * The same of a webhook as the service shows it. Only what is shown as inactive is off: one that is not there, or shows
 * nothing of it, may have been lost, and must not pass for one that was switched off.
 */
export function isShownInactive(kit: ServiceKit, resource: Json | undefined): boolean {
  return resource !== undefined && kit.member(resource, 'active') === false;
}

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
