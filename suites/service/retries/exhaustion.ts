import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven } from '../../check.ts';
import type { ListedNotification, Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../attributeNamed.ts';
import { broken } from '../broken.ts';
import { firstDelivery, isShared, type FirstDelivery } from '../firstDelivery.ts';
import { inDuration } from '../inDuration.ts';
import { refuse } from '../steps.ts';

/** Milliseconds of quiet, beside the notification's own pauses, after which the list is asked what became of it. */
const quiet = 300;

/** Sections 3.1 and 8: all retries, no more, and then never again. */
export const exhaustion = serviceCheck<{ readonly status: number }>({
  id: 'service/retries/exhaustion',
  title: 'makes every retry and no more, marks the notification failed, and never delivers it again',
  requirements: ['STA-2', 'STA-3', 'STA-5'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: () => [500, 503].map((status) => fc.constant({ status })),
  run: async (kit, { status }) => {
    const delivery = await firstDelivery(kit, { script: [refuse(status)] });
    const { webhook, notified } = delivery;
    const tooFew = await untilExhausted(kit, delivery);
    if (tooFew) return tooFew;
    learnSchedule(kit, notified);
    const listed = isShared(delivery) ? undefined : await untilMarked(kit, notified);
    if (notified.attempts.length > kit.contract.delivery.retries + 1) return oneTooMany(kit, notified, 'STA-2');
    if (listed !== undefined && !isExhausted(kit, listed)) return notMarked(kit, notified, listed);
    await reactivated(kit, webhook);
    if (await kit.staysQuiet(notified)) return undefined;
    return oneTooMany(kit, notified, listed === undefined ? 'STA-2' : 'STA-3');
  },
  hint:
    'The limit counts retries, and the first attempt is none. Mark the notification failed in the transaction that ' +
    'records its last attempt, and let no sweep, restart or re-activation pick up what is failed.',
});

/** Waits for the last attempt. What is listed as failed before it was given up too early. */
async function untilExhausted(kit: ServiceKit, delivery: FirstDelivery) {
  const { notified } = delivery;
  const { retries } = kit.contract.delivery;
  let given: ListedNotification | undefined;
  const over = await kit.until(async () => {
    if (notified.attempts.length > retries) return true;
    if (isShared(delivery) || !isQuiet(kit, notified)) return undefined;
    given = (await kit.listed([notified.id])).get(notified.id);
    return (given !== undefined && isExhausted(kit, given)) || undefined;
  });
  const made = notified.attempts.length;
  if (made > retries) return undefined;
  if (over === undefined) {
    throw new Unproven(`${made} of ${retries + 1} attempts came while retries were waited for (see --retry-window)`);
  }
  if (made === 1) throw new Unproven('it was given up after one attempt: see service/refusals/refused-status');
  return broken('STA-5', {
    expected: `${retries} retries are made before a notification is given up`,
    actual: `it is listed as ${String(given?.status)} after ${made - 1}`,

    absence: true,
    exchanges: notified.attempts.slice(-2),
  });
}

function isQuiet(kit: ServiceKit, { attempts }: Notified): boolean {
  const ends = attempts.map(({ end, at }) => end?.at ?? at);
  const pauses = attempts.slice(1).map(({ at }, place) => at - ends[place]!);
  return kit.elapsed() - ends.at(-1)! > quiet + 3 * Math.max(0, ...pauses);
}

async function untilMarked(kit: ServiceKit, { id }: Notified): Promise<ListedNotification | undefined> {
  try {
    return await kit.untilListed(id, [kit.terms.notification.statuses.exhausted]);
  } catch (error) {
    if (error instanceof Unobservable) return undefined;
    throw error;
  }
}

function isExhausted(kit: ServiceKit, { status }: ListedNotification): boolean {
  return status === kit.terms.notification.statuses.exhausted;
}

/** Turns the webhook off and on: that brings nothing back. Where updates are not offered, that is not tried. */
async function reactivated(kit: ServiceKit, webhook: Webhook): Promise<void> {
  try {
    await kit.update(webhook, { [attributeNamed(kit.terms, 'active')]: false });
    await kit.update(webhook, { [attributeNamed(kit.terms, 'active')]: true });
  } catch (error) {
    if (!(error instanceof Unobservable)) throw error;
  }
}

function learnSchedule(kit: ServiceKit, { attempts }: Notified): void {
  const pauses = attempts.slice(1).map(({ at }, place) => {
    const before = attempts[place]!;
    return inDuration(at - (before.end?.at ?? before.at));
  });
  if (pauses.length !== kit.contract.delivery.retries) return;
  kit.learn(
    'retries.schedule',
    pauses.join(),
    'the pauses before the retries of one notification that was always refused',
  );
}

function oneTooMany(kit: ServiceKit, { attempts }: Notified, requirement: string) {
  const most = kit.contract.delivery.retries + 1;
  return broken(requirement, {
    expected: `nothing is sent after attempt ${most}`,
    actual: `attempt ${most + 1} came${requirement === 'STA-3' ? ', after the notification had been listed as failed' : ''}`,
    exchanges: attempts.slice(most - 1, most + 1),
    hangsOnTime: true,
  });
}

function notMarked(kit: ServiceKit, { attempts }: Notified, { status }: ListedNotification) {
  return broken('STA-2', {
    expected: `after attempt ${attempts.length}, the last, the notification is listed as ${kit.terms.notification.statuses.exhausted}`,
    actual: `it is listed as ${JSON.stringify(status)}`,

    absence: true,
    exchanges: attempts.slice(-1),
  });
}
