import { offers, statusTerms } from '../../../spec/serviceTerms.ts';
import { OutOfTime, type ServiceFinding, Unproven } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import { finding } from '../../finding.ts';
import { counted, itemOf } from '../../items.ts';
import type { ListedNotification, Notified, ServiceKit } from '../../serviceKit.ts';
import { type FirstDelivery, isShared } from '../firstDelivery.ts';
import { isListedOver } from '../listItems.ts';
import { eachAfter, expectAttempt, expectSameId, misjudgedHint, openRetries, openSince } from '../redelivery.ts';
import { describeStep } from '../steps.ts';

/** Milliseconds of quiet, beside the notification's own pauses, after which the list is asked what became of it. */
const quiet = 300;

/**
 * Waits for the last attempt. What is listed as over before, although nothing was accepted, was given up too early. Where others
 * had the next attempt long ago, it is missing.
 */
export async function untilExhausted(kit: ServiceKit, delivery: FirstDelivery): Promise<ServiceFinding | undefined> {
  const { notified } = delivery;
  const { retries } = kit.contract.delivery;
  let given: ListedNotification | undefined;
  const over = await kit.until(async () => {
    if (notified.attempts.length > retries) return 'all came';
    if (isShared(delivery) || !isQuiet(kit, notified)) return undefined;
    if (offers(kit.contract, 'notifications')) given = (await kit.listed([notified.id])).get(notified.id);
    if (isListedOver(kit.terms, given)) return 'given up';
    return kit.attemptSeen(notified.attempts.length + 1) && kit.isOverdue(notified) ? 'missing' : undefined;
  });
  const made = notified.attempts.length;
  if (made > retries) return undefined;
  if (over === undefined) {
    throw new OutOfTime(stillOpen(kit, delivery));
  }
  expectSameId(kit, delivery);
  if (made === 1)
    throw new Unproven(
      'it was given up after one attempt: see service/refusals/refused-status and service/connections/broken',
    );
  if (over === 'missing') return (await expectNext(kit, delivery)) ?? untilExhausted(kit, delivery);
  if (given && !isExhausted(kit, given)) return misjudged(notified, given);
  return finding('STA-5', {
    expected: `${retries} retries are made before a notification is given up`,
    actual: `it is listed as ${String(given?.status)} after ${counted(made - 1, 'retry', 'retries')}${eachAfter(notified.attempts)}`,
    absence: true,
    exchanges: notified.attempts.slice(-2),
  });
}

function expectNext(kit: ServiceKit, delivery: FirstDelivery): Promise<ServiceFinding | undefined> {
  const { attempts } = delivery.notified;
  const { step, number } = itemOf(attempts, attempts.length - 1);
  const requirement = step.do === 'respond' ? 'DLV-3' : 'DLV-4';
  return expectAttempt(kit, delivery, number + 1, { requirement, after: describeStep(step) });
}

/** Nothing was given up: what came of the last attempt was taken for an acceptance. */
function misjudged({ attempts }: Notified, { status }: ListedNotification): ServiceFinding {
  const { step, number } = itemOf(attempts, attempts.length - 1);
  const after = describeStep(step);
  return finding(step.do === 'respond' ? 'DLV-3' : 'DLV-4', {
    expected: `attempt ${number + 1} follows after ${after}`,
    actual: `attempt ${number} ended with ${after}, and no other came: the notification is listed as ${String(status)}`,
    absence: true,
    exchanges: attempts.slice(-2),
    hint: misjudgedHint,
  });
}

function stillOpen(kit: ServiceKit, delivery: FirstDelivery): string {
  const { notified, webhook, triggered } = delivery;
  if (isShared(delivery)) return openRetries([notified], { attempts: kit.contract.delivery.retries + 1 });
  const came = kit.notifications(webhook.endpoint).filter(({ event }) => event === notified.event);
  return openSince(kit, came, { since: triggered.at, least: 1 });
}

/** Where another one of the webhook had all its retries, nobody counts wrongly: the end of that one was taken for the end of all. */
export function besideAnother(
  { contract }: ServiceKit,
  tooFew: ServiceFinding,
  both: readonly Notified[],
): ServiceFinding {
  if (both.every(({ attempts }) => attempts.length <= contract.delivery.retries)) return tooFew;
  return {
    ...tooFew,
    actual: `${tooFew.actual}, while another notification of its webhook had all of its own`,
    hint: 'Give up the notification whose retries are over, and no other of its webhook: each has retries of its own. Look at the statement that marks it failed: it selects by the webhook, where it should select by the notification.',
  };
}

/** Whether nothing has come for a while. An attempt that is under way still says nothing, whatever is listed meanwhile. */
function isQuiet(kit: ServiceKit, notified: Notified): boolean {
  const { attempts } = notified;
  const { end } = itemOf(attempts, attempts.length - 1);
  if (end === undefined) return kit.isOverdue(notified);
  return kit.elapsed() - end.at > quiet + 3 * longestPause(attempts);
}

/** Milliseconds between the end of an attempt and the next one, at most. */
export function longestPause(attempts: readonly Caught[]): number {
  const pauses = attempts.slice(1).map(({ at }, place) => {
    const before = itemOf(attempts, place);
    return at - (before.end?.at ?? before.at);
  });
  return Math.max(0, ...pauses);
}

export function isExhausted(kit: ServiceKit, { status }: ListedNotification): boolean {
  return status === statusTerms(kit.terms).exhausted;
}
