import fc from 'fast-check';

import {
  OutOfTime,
  serviceCheck,
  Unproven,
  type ServiceFinding,
  Unobservable,
  type ServiceCheck,
} from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { Notified, ServiceKit, ListedNotification, Webhook } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { firstDelivery, type FirstDelivery, isShared } from '../firstDelivery.ts';
import { expectAttempt, sameButForId } from '../redelivery.ts';
import { acceptAfter, describeStep, refuse } from '../steps.ts';
import { utcTime } from '../utcTime.ts';
import { memberMismatch, type Mismatch, shapeMismatch } from '../bodyMismatch.ts';
import { attributeNamed } from '../creation.ts';
import { inDuration } from '../inDuration.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { openRetries } from '../openRetries.ts';
import { itemOf } from '../../items.ts';

type Judge = (kit: ServiceKit, caught: Caught) => Mismatch | undefined;

/** What holds for the body of each attempt, by the requirement that says so. */
const judges: readonly (readonly [requirement: RequirementId, judge: Judge])[] = [
  ['NTF-1', shapeMismatch],
  ['NTF-4', (kit, caught) => memberMismatch(kit, caught, 'type')],
  ['NTF-5', (kit, caught) => memberMismatch(kit, caught, 'event')],
  ['NTF-6', (kit, caught) => memberMismatch(kit, caught, 'status')],
  ['NTF-8', (kit, caught) => memberMismatch(kit, caught, 'included')],
];

/**
 * What the contract says of every delivered body, tested on the retries of one notification. What is wrong with the
 * first delivery already is for `service/notification/*` to say.
 *
 * @returns nothing where the retries are right
 */
function changedOnRetry(kit: ServiceKit, first: Caught, retries: readonly Caught[]): ServiceFinding | undefined {
  for (const [requirement, judge] of judges) {
    if (judge(kit, first)) continue;
    for (const retry of retries) {
      const mismatch = judge(kit, retry);
      if (mismatch) return onRetry(requirement, mismatch, [first, retry]);
    }
  }
  const event = kit.delivered(first, 'event');
  const renamed = retries.find((retry) => kit.delivered(retry, 'event') !== event);
  if (renamed === undefined || typeof event !== 'string') return undefined;
  const actual = `it names ${String(kit.delivered(renamed, 'event'))}`;
  return onRetry('NTF-5', { expected: `the event is ${event}`, actual }, [first, renamed]);
}

function onRetry(
  requirement: RequirementId,
  { expected, actual }: Mismatch,
  exchanges: readonly [first: Caught, retry: Caught],
): ServiceFinding {
  return broken(requirement, {
    expected: `${expected} in the retry as in the first delivery`,
    actual: `${actual}, in attempt ${exchanges[1].number}`,
    exchanges,
  });
}

interface Failures {
  readonly failures: number;
  readonly status: number;
}

/** Section 8: whichever retry is accepted, it is made, and it is the last. */
const recovery = serviceCheck<Failures>({
  id: 'service/retries/recovery',
  title: 'retries until the receiver recovers, at whichever attempt that is, and then stops',
  requirements: ['DLV-3', 'DLV-2', 'STA-5'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.4,
  cases: ({ contract: { delivery } }) =>
    Array.from({ length: delivery.retries + 1 }, (_, failures) =>
      fc.record({ failures: fc.constant(failures), status: fc.constantFrom(500, 404) }),
    ),
  run: async (kit, { failures, status }) => {
    const step = refuse(status);
    const delivery = await firstDelivery(kit, { script: acceptAfter(failures, step, kit.contract) });
    for (let number = 2; number <= failures + 1; number++) {
      const requirement = number === 2 ? 'DLV-3' : 'STA-5';
      const missing = await expectAttempt(kit, delivery, number, { requirement, after: describeStep(step) });
      if (missing) return missing;
    }
    return expectQuiet(kit, delivery, failures);
  },
  hint: 'Count attempts where the notification is stored, and decide from that count alone whether another follows. Off by one is the usual mistake.',
});

async function expectQuiet(kit: ServiceKit, { notified }: FirstDelivery, failures: number) {
  if (await kit.staysQuiet(notified)) return undefined;
  return broken('DLV-2', {
    expected: `attempt ${failures + 1} is accepted and the last`,
    actual: `attempt ${notified.attempts.length} came after it`,
    exchanges: notified.attempts.slice(failures, failures + 2),
    // On a busy machine the service's time-out may have come before the answer: it has to recur.
    absence: true,
    hangsOnTime: true,
  });
}

/** Sections 2.2 and 6, rule 3: a redelivery is the same notification, and as right as the first delivery. */
const sameNotification = serviceCheck<Failures>({
  id: 'service/retries/same-notification',
  title: 'sends the same notification again: its id and its time of creation stay, and it keeps its shape',
  requirements: ['NTF-3', 'NTF-7', 'NTF-1', 'NTF-4', 'NTF-5', 'NTF-6', 'NTF-8'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.1,
  cases: ({ contract: { delivery } }) =>
    [fc.integer({ min: 1, max: 4 }), fc.constant(delivery.retries)].map((failures) =>
      fc.record({ failures, status: fc.constantFrom(500, 400, 302) }),
    ),
  run: async (kit, { failures, status }) => {
    const { webhook, notified, first } = await firstDelivery(kit, {
      script: acceptAfter(failures, refuse(status), kit.contract),
    });
    const { caught } = webhook.endpoint;
    const retried = () => retriesOf(first, caught, failures);
    const renamed = () => caught.filter((other) => sameButForId(kit, first, other));
    const isDone = (): boolean => retried().length >= failures || renamed().length > 2;
    await kit.until(async () => isDone() || kit.isOverdue(notified) || undefined);
    await kit.settle();
    const others = renamed();
    if (others.length > 2 && notified.attempts.length <= failures && keptNone(others))
      return underAnotherId(first, others);
    if (retried().length === 0) throw new Unproven('no redelivery came, so it could not be compared');
    observeBytes(kit, notified);
    return changedOnRetry(kit, first, retried()) ?? createdAgain(kit, notified);
  },
  hint: 'Give a notification its id and its time of creation when it is stored, and send the stored body again instead of building it anew.',
});

/** What came under the same id before it was accepted, whatever event it names, and what shows no id at all. */
function retriesOf(first: Caught, caught: readonly Caught[], failures: number): readonly Caught[] {
  const same = caught.filter(({ key }) => key !== '' && key === first.key).slice(1, failures + 1);
  return first.key === '' ? [] : [...same, ...caught.filter(({ key }) => key === '')];
}

/** Ids that all came once only: siblings of one event would each have been redelivered. */
function keptNone(caught: readonly Caught[]): boolean {
  return caught.every(({ number }) => number === 1);
}

function underAnotherId(first: Caught, others: readonly Caught[]) {
  return broken('NTF-3', {
    expected: 'the redelivery carries the id of the first delivery',
    actual: `the same notification came ${others.length} times more, each time under another id`,
    exchanges: [first, ...others.slice(0, 2)],
  });
}

function createdAgain(kit: ServiceKit, { attempts }: Notified) {
  const created = (caught: Caught) => kit.delivered(caught, 'createdAt');
  const [first] = attempts;
  const changed = attempts.find((attempt) => !sameTime(created(attempt), created(first)));
  if (changed === undefined) return undefined;
  return broken('NTF-7', {
    expected: `every redelivery was created at ${String(created(first))}`,
    actual: `attempt ${changed.number} says that it was created at ${String(created(changed))}`,
    exchanges: [first, changed],
  });
}

function sameTime(one: unknown, other: unknown): boolean {
  const time = utcTime(one);
  return time === undefined ? one === other : time === utcTime(other);
}

function observeBytes(kit: ServiceKit, { attempts }: Notified): void {
  const changed = attempts.find(({ body }) => !body.equals(attempts[0].body));
  if (changed === undefined) return;
  kit.observe('GAP-1', 'the body of a redelivery differs from that of the first delivery', `attempt ${changed.number}`);
}

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

/** The checks of this topic, in the order in which they run and are listed. */
export const retriesChecks: readonly ServiceCheck[] = [recovery, sameNotification, exhaustion];

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
    const came = kit.notifications(delivery.webhook.endpoint).filter(({ event }) => event === notified.event);
    throw new OutOfTime(openRetries(isShared(delivery) ? [notified] : came, { attempts: retries + 1 }));
  }
  if (made === 1) throw new Unproven('it was given up after one attempt: see service/refusals/refused-status');
  return broken('STA-5', {
    expected: `${retries} retries are made before a notification is given up`,
    actual: `it is listed as ${String(given?.status)} after ${made - 1} of them`,
    absence: true,
    exchanges: notified.attempts.slice(-2),
  });
}

function isQuiet(kit: ServiceKit, { attempts }: Notified): boolean {
  const ends = attempts.map(({ end, at }) => end?.at ?? at);
  const pauses = attempts.slice(1).map(({ at }, place) => at - itemOf(ends, place));
  return kit.elapsed() - itemOf(ends, ends.length - 1) > quiet + 3 * Math.max(0, ...pauses);
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
    const before = itemOf(attempts, place);
    return inDuration(at - (before.end?.at ?? before.at));
  });
  if (pauses.length !== kit.contract.delivery.retries) return;
  const evidence = 'the pauses before the retries of one notification that was always refused';
  kit.learn('retries.schedule', pauses.join(), evidence);
}

function oneTooMany(kit: ServiceKit, { attempts }: Notified, requirement: RequirementId) {
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
