import fc from 'fast-check';

import { isTakenBy } from '../../../generators/calls/plainBody.ts';
import { describeAnswer, isAmong } from '../../answer.ts';
import {
  OutOfTime,
  serviceCheck,
  Unproven,
  type ServiceFinding,
  type ServiceCheck,
  unlessUnobservable,
} from '../../check.ts';
import type { TriggeredEvent, Notified, ServiceKit, Webhook } from '../../serviceKit.ts';
import { attributeNamed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { isNotified } from '../firstDelivery.ts';
import { hintOfActive, isInactive, notifiedWhileInactive, expectNothingUnderWay } from '../isInactive.ts';
import { isNotifiedLater } from '../pausing.ts';
import { refuse } from '../steps.ts';
import { resolution, utcTime } from '../utcTime.ts';
import { expectNoneWaiting, openSince, isSpent } from '../redelivery.ts';
import { untilThere } from '../lists/allListed.ts';
import { counted } from '../../items.ts';
import { sameUrl, unasked } from './switchedOff.ts';
import { offers } from '../../../spec/serviceTerms.ts';

/** Sets the active attribute. @throws Unproven where that is refused: how it is done is not described (GAP-9) */
async function setActive(kit: ServiceKit, webhook: Webhook, active: boolean): Promise<void> {
  const call = await kit.update(webhook, { [attributeNamed(kit.terms, 'active')]: active });
  if (!isAmong(kit, call, 'update.response')) {
    throw new Unproven(`the update of the webhook was not taken as it is assumed: ${describeAnswer(call.answer)}`);
  }
}

const beginnings = ['created inactive', 'turned inactive'] as const;

type Beginning = (typeof beginnings)[number];

/** Sections 2.1, 3.2 and 6: what happens while a webhook is inactive is not sent to it, neither then nor later. */
const inactive = serviceCheck<{ readonly beginning: Beginning }>({
  id: 'service/activation/inactive',
  title: 'sends nothing to an inactive webhook, and starts again when it is active again',
  requirements: ['WHK-6', 'ACT-2', 'LST-1'],
  about: ['webhook:active', 'operation:update'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.08,
  cases: ({ contract }) =>
    beginnings.slice(isTakenBy(contract, 'create', 'active') ? 0 : 1).map((beginning) => fc.constant({ beginning })),
  run: async (kit, { beginning }) => {
    const [first, second] = kit.scenarioEvents;
    const active = beginning === 'turned inactive';
    const before = kit.monitored(first).length;
    const webhook = await kit.register({ active, events: [...new Set([first, second])] });
    if (active) await setActive(kit, webhook, false);
    const during = await kit.trigger(first);
    if (active) expectNothingUnderWay(kit, webhook, during, before);
    const said = (await kit.arrivals(webhook, during)).find(({ event }) => event === first);
    if (said)
      return { ...notifiedWhileInactive(webhook, said.attempts[0], beginning), ...(await hintOfActive(kit, webhook)) };
    const off = await listedOtherwise(kit, webhook, beginning);
    if (off) return off;
    const [until, known] = [kit.elapsed(), kit.monitored(first).length];
    await setActive(kit, webhook, true);
    const after = await kit.trigger(second);
    const next = await isNotified(kit, webhook, after);
    await kit.arrivals(webhook, after);
    const late =
      kit.notifications(webhook.endpoint).find((notified) => isFromBefore(kit, notified, during, until)) ??
      // A monitor that is passed over, as where the kit was too slow to answer it, says nothing of how often it happened.
      (after.monitored.length > 0 ? await notifiedBeyond(kit, webhook, { event: first, until, known }) : undefined);
    if (late)
      return notifiedWhileInactive(webhook, late.attempts[0], `${beginning}, notified once it was active again`);
    return next ? listedOtherwise(kit, webhook, 'turned active') : notBack(kit, webhook, after);
  },
  hint:
    'Look at active where an event is fanned out, so that nothing is queued for a webhook that is inactive, and read it ' +
    'afresh: a cached list of webhooks goes on sending, or never begins again.',
});

/** Section 4.3: each webhook is listed with its active. Deliveries have shown by now what that is; a list may be a moment behind. */
async function listedOtherwise(
  kit: ServiceKit,
  webhook: Webhook,
  became: Beginning | 'turned active',
): Promise<ServiceFinding | undefined> {
  if (!offers(kit.contract, 'list')) return undefined;
  const active = became === 'turned active';
  const shown = await untilThere(
    kit,
    () => kit.current(webhook).catch(unlessUnobservable),
    (found) => found !== undefined && kit.member(found, 'active') === active,
  );
  const other = shown && kit.member(shown, 'active');
  if (typeof other !== 'boolean' || other === active) return undefined;
  return finding('LST-1', {
    expected: `the webhook is listed with active ${active}: it was ${became}, and what is sent to it follows that`,
    actual: `it is listed with active ${other}`,
    exchanges: [webhook.creation, ...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1)],
    absence: true,
    hint: 'List what is stored, and drop a cached copy of a webhook with each update: those who look there for webhooks that were switched off are misled.',
  });
}

/** Whether it was created before this time of the run, as the service's own clock shows: it runs no slower than ours. */
function isFromBefore(kit: ServiceKit, { attempts }: Notified, during: TriggeredEvent, until: number): boolean {
  const seen = during.monitored[0]?.attempts[0];
  const stamps = [attempts[0], seen].map((caught) => caught && kit.delivered(caught, 'createdAt'));
  const [own, reference] = stamps.map(utcTime);
  if (own === undefined || reference === undefined || seen === undefined) return false;
  return own + resolution(stamps[0] as string) <= reference + (until - seen.at);
}

/**
 * A notification of an event that came since a time although the monitor, which is always active, was notified of fewer
 * since then: it must be of what happened before.
 *
 * @param since - that time of the run (`until`), and how many the monitor had then (`known`)
 */
async function notifiedBeyond(
  kit: ServiceKit,
  { endpoint }: Webhook,
  since: { readonly event: string; readonly until: number; readonly known: number },
): Promise<Notified | undefined> {
  const { event, until, known } = since;
  const said = () => kit.notifications(endpoint).filter((each) => each.event === event && each.attempts[0].at >= until);
  const isBeyond = () => said().length > kit.monitored(event).length - known;
  // What has just happened may have come here first.
  if (isBeyond()) await kit.settle();
  return isBeyond() ? said()[0] : undefined;
}

async function notBack(kit: ServiceKit, webhook: Webhook, { event, monitored }: TriggeredEvent) {
  const isOff = await isInactive(kit, webhook).catch(unlessUnobservable);
  return finding('ACT-2', {
    expected: `the webhook hears of ${event} once it is active again`,
    actual: `no notification came of what happened then${isOff ? ': the list shows it as inactive after an update that was taken' : ''}`,
    ...(isOff && { hint: 'Store each update of a webhook, the second one as the first, before you answer it.' }),
    exchanges: [webhook.creation, ...(monitored[0]?.attempts.slice(0, 1) ?? [])],
    absence: true,
  });
}

/** Section 3.2 with GAP-5: the service may switch a webhook off that fails, and a client switches it on again. */
const afterFailures = serviceCheck<{ readonly notifications: number }>({
  id: 'service/activation/after-failures',
  title: 'takes up deliveries again for a webhook whose notifications failed',
  requirements: ['ACT-2', 'ACT-1'],
  about: ['webhook:active', 'operation:update', 'retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: () => [fc.constant({ notifications: 3 })],
  run: async (kit, { notifications }) => {
    const events = [...new Set(kit.scenarioEvents)];
    const webhook = await kit.register({ events, meanwhile: [refuse()] });
    const [first] = await kit.triggerAll(events.slice(0, notifications));
    if (await untilGivenUp(kit, webhook, notifications, first?.at ?? 0)) learnDeactivation(kit, webhook);
    await webhook.open();
    await setActive(kit, webhook, true);
    const after = await kit.trigger(kit.scenarioEvents[3]);
    if (await isNotified(kit, webhook, after)) return undefined;
    expectNoneWaiting(kit, webhook);
    return (await isNotifiedLater(kit, webhook, after)) ? undefined : notBack(kit, webhook, after);
  },
  hint: 'Setting active to true must also undo whatever stopped the deliveries: a failure count, an open circuit breaker, a suspended queue.',
});

/**
 * Until each notification had its last attempt, or the service switched the webhook off before.
 *
 * @returns whether it is switched off
 */
async function untilGivenUp(kit: ServiceKit, webhook: Webhook, most: number, since: number): Promise<boolean> {
  let [looked, known] = [kit.elapsed(), 0];
  const over = await kit.until(async () => {
    const came = kit.notifications(webhook.endpoint);
    const ended = came.filter((notified) => isSpent(kit, notified)).length;
    const isWhole = ended > 0 && ended >= Math.min(most, came.length);
    if (ended === known && !isWhole && kit.elapsed() - looked < 1000) return undefined;
    [looked, known] = [kit.elapsed(), ended];
    if (await isInactive(kit, webhook)) return 'off';
    const isOver = came.every((notified) => notified.id === '' || kit.isOverdue(notified));
    return isWhole || (came.length >= most && (isOver || (await areExhausted(kit, came)))) ? 'on' : undefined;
  });
  if (over !== undefined) return over === 'off';
  const came = kit.notifications(webhook.endpoint);
  throw new OutOfTime(openSince(kit, came, { since, least: most }));
}

/** Whether the service lists all of them as given up, however many attempts it made. */
async function areExhausted(kit: ServiceKit, all: readonly Notified[]): Promise<boolean> {
  const exhausted = kit.terms.notification?.statuses.exhausted;
  if (exhausted === undefined || !offers(kit.contract, 'notifications')) return false;
  const found = await kit.listed(all.map(({ id }) => id)).catch(unlessUnobservable);
  return found !== undefined && all.every(({ id }) => found.get(id)?.status === exhausted);
}

function learnDeactivation(kit: ServiceKit, { endpoint }: Webhook): void {
  const failed = kit.notifications(endpoint).filter((notified) => isSpent(kit, notified)).length;
  const evidence = `seen when ${counted(failed, 'notification')} had failed, ${endpoint.caught.length} attempts in all`;
  if (failed > 0) kit.learn('webhook.deactivatesAfter', String(failed), evidence);
  else kit.observe('GAP-5', 'a webhook turns inactive before a notification has failed', evidence);
}

/** Section 3.2 with GAP-20: retries of what happened before may go on; nothing that happens later is sent. */
const whileRetrying = serviceCheck<{ readonly attempts: number }>({
  id: 'service/activation/while-retrying',
  title: 'sends nothing new to a webhook that turned inactive while it was refusing',
  requirements: ['WHK-6'],
  about: ['webhook:active', 'operation:update', 'retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: () => [fc.constant({ attempts: 2 })],
  run: async (kit, { attempts }) => {
    const [first, second] = kit.scenarioEvents;
    const known = kit.monitored(second).length;
    const webhook = await kit.register({ events: [...new Set([first, second])], script: [refuse()] });
    const before = await kit.arrival(webhook, await kit.trigger(first));
    if (!before || !(await kit.untilAttempt(before, attempts))) throw new Unproven('it was not retried');
    await setActive(kit, webhook, false);
    const count = before.attempts.length;
    const during = await kit.trigger(second);
    expectNothingUnderWay(kit, webhook, during, known);
    const said = (await kit.arrivals(webhook, during)).find(({ event }) => event === second && first !== second);
    if (said) {
      const found = notifiedWhileInactive(webhook, said.attempts[0], 'turned inactive while retries were due');
      return { ...found, ...(await hintOfActive(kit, webhook)) };
    }
    if (count > kit.contract.delivery.retries) return undefined;
    const goesOn = before.attempts.length > count + 1;
    const evidence = `${before.attempts.length - count} of ${kit.contract.delivery.retries + 1 - count} further attempts came`;
    kit.learn('retries.whenInactive', goesOn ? 'made' : 'dropped', evidence);
    return undefined;
  },
  hint: 'Look at active where an event is fanned out, and not only where an attempt is made.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const activationChecks: readonly ServiceCheck[] = [inactive, afterFailures, whileRetrying, unasked, sameUrl];
