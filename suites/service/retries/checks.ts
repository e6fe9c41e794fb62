import fc from 'fast-check';

import { serviceCheck, Unproven, Unobservable, type ServiceCheck, unlessUnobservable } from '../../check.ts';
import type { Json } from '../../../generators/json/json.ts';
import type { CatchScript, CatchStep } from '../../exchange.ts';
import type { Notified, ServiceKit, ListedNotification, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { delivered, expectId, firstDelivery, type FirstDelivery, isShared } from '../firstDelivery.ts';
import { eachAfter, expectAttempt, misjudgedHint, switchedOff } from '../redelivery.ts';
import { accept, acceptAfter, describeStep, refuse } from '../steps.ts';
import { attributeNamed } from '../creation.ts';
import { isInactive } from '../isInactive.ts';
import { inDuration } from '../../../spec/units.ts';
import type { Contract } from '../../../spec/contract.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { sameNotification } from './sameNotification.ts';
import { besideAnother, isExhausted, longestPause, untilExhausted } from './untilExhausted.ts';
import { itemOf } from '../../items.ts';
import { offers, statusTerms, type WebhookMember } from '../../../spec/serviceTerms.ts';

interface Failures {
  readonly failures: number;
  readonly status: number;
}

/** Section 8: whichever retry is accepted, it is made, and it is the last. */
const recovery = serviceCheck<Failures>({
  id: 'service/retries/recovery',
  title: 'retries until the receiver recovers, at whichever attempt that is, and then stops',
  requirements: ['DLV-3', 'DLV-2', 'STA-5'],
  about: ['retries'],
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
  return finding('DLV-2', {
    expected: `attempt ${failures + 1} is accepted and the last`,
    actual: `attempt ${notified.attempts.length} came after it`,
    exchanges: notified.attempts.slice(failures, failures + 2),
    // On a busy machine the service's time-out may have come before the answer: it has to recur.
    absence: true,
    hangsOnTime: true,
  });
}

interface Exhaustion {
  /** How the attempts fail, one after the other; the last for all that follow. */
  readonly steps: CatchScript;
  readonly notifications: 1 | 2;
  /** True where the webhook is updated while retries are still to come. Default: it stays as it is. */
  readonly updated?: true;
  /** True where the webhook accepts another notification, before the last retry of the first and after it. Default: it accepts nothing. */
  readonly recovered?: true;
}

/**
 * Attempts before an update, so that there would be too many if they began to count there. Several, for the service may be
 * about to write down what came of an attempt.
 */
const beforeUpdate = [3, 4, 6, 8] as const;

/** Attempts before another notification of the same webhook, so that it has some left when the retries of the first are over. */
const beforeAnother = 3;

/** Three of them leave time for another notification to be accepted before the retries are over, on a busy machine too. */
const slowRefusal: CatchStep = { do: 'respond', status: 500, delay: 500 };

/** Sections 3.1 and 8: all retries, no more, and then never again. */
export const exhaustion = serviceCheck<Exhaustion>({
  id: 'service/retries/exhaustion',
  title: 'makes every retry and no more, marks the notification failed, and never delivers it again',
  requirements: ['STA-2', 'STA-3', 'STA-5', 'DLV-3', 'DLV-4'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.06,
  cases: ({ contract }) => [
    fc.constant({ steps: [refuse(500)], notifications: 1 }),
    fc.constant({ steps: [refuse(503)], notifications: 1 }),
    fc.constant({ steps: [refuse(429)], notifications: 2 }),
    fc.constant({ steps: [{ do: 'reset', when: 'before' }], notifications: 1 }),
    fc.constant({ steps: everyFailure(contract), notifications: 1 }),
    fc.constant({ steps: [{ do: 'hang' }, refuse(500)], notifications: 1 }),
    fc.constant({ steps: [refuse(500)], notifications: 1, updated: true }),
    fc.constant({
      steps: [refuse(500), slowRefusal, slowRefusal, slowRefusal, refuse(500)],
      notifications: 1,
      recovered: true,
    }),
  ],
  run: async (kit, { steps, notifications, updated, recovered }) => {
    const events = [...new Set(kit.scenarioEvents.slice(0, recovered ? 2 : notifications))];
    const script: CatchScript = recovered ? [accept(kit.contract), ...steps.slice(1)] : steps;
    const delivery = await firstDelivery(kit, { events, script, meanwhile: steps, apart: true });
    const { webhook, notified } = delivery;
    expectId(kit, notified.id);
    if (steps.length > 1 && steps[0].do === 'hang') await firstTimedOut(kit, delivery);
    const circumstance = updated ? ', where the webhook was updated between the attempts' : recovered && besides;
    if (updated) await updatedMeanwhile(kit, delivery);
    if (recovered) await untilRetried(kit, notified).then(() => alsoAccepted(kit, webhook));
    if (notifications === 2) await kit.untilAttempt(notified, beforeAnother);
    const another = notifications === 1 ? undefined : await alsoDelivered(kit, webhook);
    const tooFew = (await untilExhausted(kit, delivery)) ?? (another && (await untilExhausted(kit, another)));
    if (tooFew && (await isInactive(kit, webhook))) throw new Unproven(switchedOff);
    if (tooFew) return another ? besideAnother(kit, tooFew, [notified, another.notified]) : tooFew;
    if (another && another.notified.attempts.length > kit.contract.delivery.retries + 1)
      return oneTooMany(kit, another.notified, 'STA-2');
    await lastEnded(kit, notified);
    learnSchedule(kit, notified);
    const listed = isShared(delivery) ? undefined : await untilMarked(kit, notified);
    if (notified.attempts.length > kit.contract.delivery.retries + 1)
      return oneTooMany(kit, notified, 'STA-2', circumstance);
    if (listed !== undefined && !isExhausted(kit, listed)) return notMarked(kit, notified, listed);
    await updatedAfterwards(kit, webhook);
    if (recovered) await alsoAccepted(kit, webhook).then(() => kit.settle());
    if (notified.attempts.length <= kit.contract.delivery.retries + 1 && (await staysFailed(kit, notified)))
      return undefined;
    return oneTooMany(kit, notified, listed === undefined ? 'STA-2' : 'STA-3', circumstance);
  },
  hint:
    'The limit counts retries, and the first attempt is none. Whatever an attempt ends with (a 429, a time-out, a refused connection), it counts ' +
    'as one. Each notification has its own count, not its webhook, and nothing sets it back. Claim and count an attempt in one ' +
    'statement, or two workers count one. Mark the notification failed in the transaction that records its last attempt.',
});

/** One kind of failure after the other: each counts as an attempt, whichever code judges it. The last gets no answer. */
function everyFailure({ delivery }: Contract): CatchScript {
  const refusals = [500, 429, 302, 404, 206, 503, 400, 408, 401].filter(
    (status) => !delivery.acceptedStatuses.includes(status),
  );
  const kinds: readonly CatchStep[] = [
    { do: 'reset', when: 'before' },
    { do: 'close', when: 'before' },
    ...refusals.map((status) => refuse(status)),
    { do: 'reset', when: 'during' },
  ];
  const steps = Array.from({ length: delivery.retries }, (_, place) => itemOf(kinds, place % kinds.length));
  return [...steps, { do: 'hang' }] as unknown as CatchScript;
}

/** @throws Unobservable where a time-out leaves no room for all retries in the retry window */
async function firstTimedOut(kit: ServiceKit, { first }: FirstDelivery): Promise<void> {
  if ((await kit.soon(() => first.end, kit.window / 3)) === undefined)
    throw new Unobservable('the service waits too long for an answer for all retries to be seen after a time-out');
}

/** @throws Unobservable where the service does not end its last attempt, so that nothing can have been decided yet */
async function lastEnded(kit: ServiceKit, { attempts }: Notified): Promise<void> {
  const last = itemOf(attempts, kit.contract.delivery.retries);
  if ((await kit.until(async () => last.end)) !== undefined) return;
  throw new Unobservable(
    'the service was still waiting for an answer to its last attempt: how long it does is not described (GAP-17)',
  );
}

/** Says once more that the webhook is active, and what else it is: that changes nothing. Where updates are not offered, that is not tried. */
async function updatedMeanwhile(kit: ServiceKit, { webhook, notified }: FirstDelivery): Promise<void> {
  if (kit.terms.webhook.members.active === undefined) return;
  const active = { [attributeNamed(kit.terms, 'active')]: true };
  const whole = kit.plainAttributes(webhook.endpoint.url);
  for (const [place, attempts] of beforeUpdate.entries()) {
    await kit.until(async () => notified.attempts.length >= attempts || kit.isOverdue(notified) || undefined);
    const call = await kit.update(webhook, place % 2 === 0 ? active : whole).catch(unlessUnobservable);
    if (call === undefined) return;
  }
}

/** A second notification of the same webhook: each has retries of its own. */
async function alsoDelivered(kit: ServiceKit, webhook: Webhook): Promise<FirstDelivery> {
  const triggered = await kit.trigger(kit.scenarioEvents[1]);
  const notified = await delivered(kit, webhook, triggered);
  return { webhook, triggered, notified, first: notified.attempts[0] };
}

/** Lets the webhook accept a further notification at its first attempt. Later ones of what was refused before are refused again. */
async function alsoAccepted(kit: ServiceKit, webhook: Webhook): Promise<void> {
  await webhook.open();
  await alsoDelivered(kit, webhook);
}

/** Milliseconds after the last attempt, at most, for which a sweep is awaited, and half of it from now: every run waits for it. */
const sweep = 4000;

/** Whether nothing more comes, for longer than a retry takes: a sweep that looks for what has failed has a period of its own. */
async function staysFailed(kit: ServiceKit, notified: Notified): Promise<boolean> {
  if (!(await kit.staysQuiet(notified))) return false;
  const isSentAgain = () => notified.attempts.length > kit.contract.delivery.retries + 1 || undefined;
  const whole = Math.min(sweep, kit.window / 4, 10 * longestPause(notified.attempts));
  const since = itemOf(notified.attempts, kit.contract.delivery.retries).at;
  return !(await kit.soon(isSentAgain, Math.max(whole / 2, whole - (kit.elapsed() - since))));
}

async function untilRetried(kit: ServiceKit, notified: Notified): Promise<void> {
  await kit.until(async () => notified.attempts.length > 1 || kit.isOverdue(notified) || undefined);
}

/** The checks of this topic, in the order in which they run and are listed. */
export const retriesChecks: readonly ServiceCheck[] = [recovery, sameNotification, exhaustion];

async function untilMarked(kit: ServiceKit, { id }: Notified): Promise<ListedNotification | undefined> {
  if (!offers(kit.contract, 'notifications')) return undefined;
  return kit.untilListed(id, [statusTerms(kit.terms).exhausted]).catch(unlessUnobservable);
}

/** Turns the webhook off and on, and gives it another url: that brings nothing back. Where updates are not offered, that is not tried. */
async function updatedAfterwards(kit: ServiceKit, webhook: Webhook): Promise<void> {
  const updates: readonly (readonly [WebhookMember, Json])[] = [
    ['active', false],
    ['active', true],
    ['url', `${webhook.endpoint.url}?moved`],
  ];
  for (const [member, value] of updates) {
    if (kit.terms.webhook.members[member] === undefined) continue;
    const call = await kit.update(webhook, { [attributeNamed(kit.terms, member)]: value }).catch(unlessUnobservable);
    if (call === undefined) return;
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

const besides = ', where the webhook accepted another notification between the attempts';

/** @param circumstance - what else happened to the webhook, in words that follow. Default: nothing */
function oneTooMany(
  kit: ServiceKit,
  { attempts }: Notified,
  requirement: RequirementId,
  circumstance: string | undefined = '',
) {
  const most = kit.contract.delivery.retries + 1;
  return finding(requirement, {
    expected: `nothing is sent after attempt ${most}`,
    actual: `attempt ${most + 1} came${requirement === 'STA-3' ? ', after the notification had been listed as failed' : circumstance || eachAfter(attempts.slice(0, most))}`,
    exchanges: attempts.slice(most - 1, most + 1),
    hangsOnTime: true,
    ...(requirement === 'STA-3' && { hint: failedForGood }),
  });
}

const failedForGood =
  'Let no sweep, restart, re-activation, new url or later success pick up what is failed, and let nothing set its count of ' +
  'attempts back. What looks for work must ask for the pending notifications alone.';

function notMarked(kit: ServiceKit, { attempts }: Notified, { status }: ListedNotification) {
  const { accepted } = statusTerms(kit.terms);
  return finding('STA-2', {
    expected: `after attempt ${attempts.length}, the last, the notification is listed as ${statusTerms(kit.terms).exhausted}`,
    actual: `it is listed as ${JSON.stringify(status)}`,
    absence: true,
    exchanges: attempts.slice(-1),
    ...(status === accepted && { hint: misjudgedHint }),
  });
}
