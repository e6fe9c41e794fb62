import fc from 'fast-check';

import { statusTerms } from '../../../spec/serviceTerms.ts';
import { serviceCheck, Unproven, type ServiceFinding, Unobservable } from '../../check.ts';
import type { CatchScript } from '../../exchange.ts';
import type { Notified, ServiceKit, ListedNotification } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { expectOwnStatus, type FirstDelivery, firstDelivery } from '../firstDelivery.ts';
import { acceptAfter, refuse } from '../steps.ts';

/** Section 3.1: a notification is pending until its delivery has ended. */
export const pendingWhileTrying = serviceCheck<{ readonly failures: number }>({
  id: 'service/statuses/pending-while-trying',
  title: 'delivers and lists a notification as pending while it is still tried',
  requirements: ['STA-1', 'STA-3', 'NTF-9', 'LST-2'],
  about: ['operation:notifications', 'id', 'retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: ({ contract: { delivery } }) => [
    fc.record({ failures: fc.integer({ min: Math.ceil(delivery.retries / 2), max: delivery.retries }) }),
  ],
  run: async (kit, { failures }) => {
    const script = acceptAfter(failures, refuse(), kit.contract).map((step, place) =>
      held.includes(place) && place < failures && step.do === 'respond' ? { ...step, delay: heldFor } : step,
    );
    const delivery = await firstDelivery(kit, { script: script as unknown as CatchScript });
    const { first, notified } = delivery;
    const { underway } = statusTerms(kit.terms);
    const said = kit.delivered(first, 'status');
    if (said !== undefined && said !== underway) {
      return finding('STA-1', {
        expected: `a new notification is ${underway}`,
        actual: `the first attempt says ${JSON.stringify(said)}`,
        exchanges: [first],
      });
    }
    expectOwnStatus(delivery);
    return (await listedOtherwise(kit, delivery, failures)) ?? saidFailed(kit, notified);
  },
  hint:
    'A refusal does not change the status: it stays pending until an attempt was accepted or none is left. List what is ' +
    'pending as well: clients look there for what has not reached them.',
});

/** What is sent again has not failed yet, whatever a retry is built from. */
function saidFailed(kit: ServiceKit, { attempts }: Notified): ServiceFinding | undefined {
  const { exhausted } = statusTerms(kit.terms);
  const wrong = attempts.find((attempt) => kit.delivered(attempt, 'status') === exhausted);
  if (wrong === undefined) return undefined;
  return finding('STA-3', {
    expected: `what is still sent is not ${exhausted}`,
    actual: `attempt ${wrong.number} says that the notification is ${exhausted}`,
    exchanges: [attempts[0], wrong],
  });
}

/** Attempts, from 0, that are refused so late that the list can be read before the next one. */
const held: readonly number[] = [0, 1, 2, 3];
/** Milliseconds; shorter than any time-out of deliveries. */
const heldFor = 150;

/** What the list says is judged only where a further attempt came after it had said so. */
async function listedOtherwise(
  kit: ServiceKit,
  delivery: FirstDelivery,
  failures: number,
): Promise<ServiceFinding | undefined> {
  const { notified } = delivery;
  const { underway, exhausted } = statusTerms(kit.terms);
  let judged = 0;
  let hidden = 0;
  while (notified.attempts.length <= failures) {
    const before = notified.attempts.length;
    const { listed, twin } = await lookedUp(kit, delivery);
    const seen = notified.attempts.length;
    if (!(await kit.untilAttempt(notified, seen > failures ? seen : seen + 1))) break;
    if (notified.attempts.length === seen) continue;
    if (listed === undefined) {
      hidden += twin === undefined ? 0 : 1;
      continue;
    }
    judged += 1;
    if (listed.status === underway) continue;
    return finding(listed.status === exhausted ? 'STA-3' : 'STA-1', {
      expected: `the notification is listed as ${underway} while attempts follow`,
      actual: `it was listed as ${JSON.stringify(listed.status)} after attempt ${before}, and attempt ${seen + 1} came after that`,
      exchanges: notified.attempts.slice(Math.max(0, seen - 1), seen + 1),
      hangsOnTime: true,
    });
  }
  if (judged > 0) return undefined;
  return hidden > 1 ? notListed(kit, delivery, hidden) : noneJudged();
}

/** How the notification is listed, and how that is which the monitor had of the same event and took at once. */
async function lookedUp(kit: ServiceKit, { notified, triggered }: FirstDelivery) {
  const twin = triggered.monitored[0]?.id ?? '';
  const listed = await kit.listed([notified.id, ...(twin === '' ? [] : [twin])]);
  return { listed: listed.get(notified.id), twin: listed.get(twin) };
}

function noneJudged(): never {
  throw new Unproven('no attempt followed after the list had shown the notification');
}

/**
 * A list that is behind shows neither of two notifications of one event. One that showed the other one each time, and this
 * one only when it was over, leaves out what is pending.
 */
async function notListed(
  kit: ServiceKit,
  { notified }: FirstDelivery,
  readings: number,
): Promise<ServiceFinding | undefined> {
  const { underway } = statusTerms(kit.terms);
  if ((await kit.untilListed(notified.id, [])) === undefined) noneJudged();
  return finding(['NTF-9', 'LST-2'], {
    expected: `the notification is listed as ${underway} while attempts follow`,
    actual: `the list was read ${readings} times between its attempts, and showed another notification of the same event. It showed this one only after its last attempt`,
    exchanges: notified.attempts.slice(0, 2),
    absence: true,
  });
}

/** What is done must be listed as well as what is new. */
export async function listedOnceDone(kit: ServiceKit, { id }: Notified, statuses: readonly string[]) {
  await kit.settle();
  return kit.untilListed(id, statuses);
}

/**
 * A retry that is only late seems to be given up. What is still listed as under way then shows nothing of its end.
 *
 * @throws Unproven where nothing else comes of it
 */
export async function listedOnceGivenUp(kit: ServiceKit, notified: Notified): Promise<ListedNotification | undefined> {
  const { underway, exhausted } = statusTerms(kit.terms);
  for (;;) {
    await untilGivenUp(kit, notified);
    const { length } = notified.attempts;
    const found = await listedOnceDone(kit, notified, [exhausted]);
    if (found?.status !== underway || length > kit.contract.delivery.retries) return found;
    const isRetried = await kit.until(async () => notified.attempts.length > length || undefined);
    if (!isRetried) throw new Unproven(`it is listed as ${underway}, so that nothing shows what becomes of it at last`);
  }
}

/** Milliseconds between two looks at whether it is listed as given up: before all of its retries, where nothing else says so. */
const pace = 1000;

/** @throws Unobservable where the retries take longer than they are waited for */
async function untilGivenUp(kit: ServiceKit, notified: Notified): Promise<void> {
  const { retries } = kit.contract.delivery;
  const { exhausted } = statusTerms(kit.terms);
  let looked = kit.elapsed();
  const over = await kit.until(async () => {
    if (notified.attempts.length > retries || kit.isOverdue(notified)) return true;
    if (kit.elapsed() - looked < pace) return undefined;
    const { status } = (await kit.listed([notified.id])).get(notified.id) ?? {};
    looked = kit.elapsed();
    return status === exhausted || undefined;
  });
  if (over === undefined)
    throw new Unobservable('the retries were not over yet, so that nothing shows whether what has failed is listed');
}
