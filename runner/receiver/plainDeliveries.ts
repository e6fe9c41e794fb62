import { setTimeout as sleep } from 'node:timers/promises';

import {
  type Notification,
  notification as notificationArbitrary,
} from '../../generators/notification/notification.ts';
import type { Answer } from '../../suites/delivery.ts';
import { withOtherIds } from '../../suites/receiver/unlikeBefore.ts';
import type { Sent } from './effectiveEvents.ts';
import type { Deadline } from '../engine/ending.ts';
import { newId, madeRecent } from './freshDelivery.ts';
import type { ControlResult, ReceiverContext, Taken } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';
import { control, smallestOf } from '../engine/cases.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import type { Contract, CatalogueEvent } from '../../spec/contract.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import type { ReceiverPlan } from './plan.ts';
import { mayRefuseContent } from './refusalAdvice.ts';
import { UnsupportedSchema } from '../../generators/schema/schemaContext.ts';
import { ContractError } from '../../spec/contractError.ts';
import { UsageError } from '../errors.ts';

interface SentToAll {
  readonly sent: readonly Sent[];
  /** Milliseconds that each took, those on their way together counted as one after the other. */
  readonly msOfOne: number;
}

type Send = (notification: Notification, place: number) => Promise<Sent>;

/**
 * A plain delivery of each event, as far as there is time. Where some are not answered because other connections are open,
 * there are fewer from then on, and all are sent again.
 *
 * @param ask - sends one over a connection of its own
 */
export async function sentToAll(
  context: ReceiverContext,
  send: Send,
  plain: readonly Notification[],
  ask: () => Promise<Answer>,
): Promise<SentToAll> {
  const first = await sentInTime(context, send, plain);
  if (!first.sent.some((each) => mayHaveWaited(context, each))) return first;
  const { turns } = context.deliverer;
  if (await othersWaitFor(1, context, ask)) {
    turns.begin();
    observe(
      context,
      1,
      'one connection is served at a time: all that need not be sent beside others is sent one after the other',
    );
  } else if (await othersWaitFor(forControl.width, context, ask)) {
    turns.keepNone();
    observe(
      context,
      forControl.width,
      `fewer than ${forControl.width + 1} connections are served at a time: none is kept for a next request`,
    );
  } else return first;
  return sentInTime(context, send, plain);
}

function observe(context: ReceiverContext, open: number, value: string): void {
  const [others, they] =
    open === 1 ? ['another connection was', 'it was'] : [`${open} other connections were`, 'they were'];
  const evidence = `a plain delivery was not answered while ${others} open, and answered once ${they} closed, twice`;
  context.emit({ type: 'observed', gap: 'ROB-1', value, evidence });
}

/** How much later than the quickest an answer comes that waited for another connection to be closed: so many times, and milliseconds. */
const late = { times: 10, ms: 500 } as const;

function mayHaveWaited({ log }: ReceiverContext, { times, answer }: Sent): boolean {
  return times > 1 || answer.kind !== 'answered' || answer.ms > Math.max(late.ms, late.times * log.quickest);
}

/** How often it must be seen that nobody is served beside other connections, and how long each is waited for: milliseconds, and as many times as long as alone. */
const beside = { rounds: 2, ms: 1500, times: 2 } as const;

/** How often is asked alone at most, and milliseconds between. */
const alone = { looks: 4, pause: 50 } as const;

/** Whether nobody is served beside so many connections on which nothing comes. */
async function othersWaitFor(
  connections: number,
  { deliverer }: ReceiverContext,
  ask: () => Promise<Answer>,
): Promise<boolean> {
  await deliverer.closeKept();
  for (let round = 0; round < beside.rounds; round++) {
    const began = performance.now();
    if (!(await isServedAlone(ask))) return false;
    const ms = Math.max(beside.ms, beside.times * (performance.now() - began));
    if (await deliverer.besideIdle(connections, () => isServedSoon(ask, ms))) return false;
  }
  return isServedAlone(ask);
}

async function isServedSoon(ask: () => Promise<Answer>, ms: number): Promise<boolean> {
  const answer = await Promise.race([ask(), sleep(ms)]);
  return answer?.kind === 'answered';
}

/** A target may take a moment to notice that a connection was closed. */
async function isServedAlone(ask: () => Promise<Answer>): Promise<boolean> {
  for (let asked = 0; asked < alone.looks; asked++) {
    if ((await ask()).kind === 'answered') return true;
    await sleep(alone.pause);
  }
  return false;
}

/** The plain notifications, each about things of its own: what knows notifications by these would take them for one. */
export function plainOfEach({ plan }: Pick<ReceiverContext, 'plan'>, found: ControlResult): readonly Notification[] {
  return [...found.plain.values()].map((each) => withOtherIds(plan.contract, each, newId(plan.contract)));
}

/** How much of the time plain deliveries may take: a slow receiver gets fewer events. So many are sent at first, and at most, side by side. */
export const forControl = { share: 0.05, first: 4, width: 16 } as const;

/**
 * A plain delivery of each event, more and more of them side by side, as far as there is time: none follow of which it
 * can be seen that they would take too long.
 */
async function sentInTime(
  { deadline }: ReceiverContext,
  send: Send,
  plain: readonly Notification[],
): Promise<SentToAll> {
  const until = deadline.part(forControl.share);
  const sending: Promise<Sent>[] = [];
  let msOfOne = 0;
  for (
    let width: number = forControl.first;
    sending.length < plain.length;
    width = Math.min(2 * width, forControl.width)
  ) {
    const begun = sending.length;
    const few = plain.slice(begun, begun + width).map((notification, place) => send(notification, begun + place));
    sending.push(...few);
    const { there, ms } = await mostOf(few);
    msOfOne = ms / there.length;
    // One that was sent again shows how long it was waited in between.
    const isSlow = there.every(({ times }) => times === 1) && msOfOne * (plain.length - sending.length) > until.left;
    if (isSlow || until.over) break;
  }
  return { sent: await Promise.all(sending), msOfOne };
}

/** Milliseconds between two looks at whether those that are still on their way are much later than the others. */
const glance = 20;

/**
 * Those that have ended once all have, or once most have and the others are much later: one event that gets no answer in
 * time says nothing of how long a delivery takes.
 */
async function mostOf(
  few: readonly Promise<Sent>[],
): Promise<{ readonly there: readonly Sent[]; readonly ms: number }> {
  const began = performance.now();
  const there: Sent[] = [];
  let ms = 0;
  const ended = few.map(async (one) => {
    there.push(await one);
    ms = performance.now() - began;
  });
  const all = Promise.all(ended).then(() => true);
  const areLate = (): boolean =>
    2 * there.length >= few.length && performance.now() - began > Math.max(late.ms, late.times * ms);
  while (!(await Promise.race([all, sleep(glance, false)])) && !areLate());
  return { there, ms };
}

/** Plain deliveries in a row that must be answered in time, and those that are tried for it at most. */
const inRow = 3;

const tries = 60;

/**
 * Waits until the target has worked off what piled up while checks ran side by side: until plain deliveries, one at a
 * time, are accepted in time again. What still gets no answer then is not a matter of load.
 *
 * @param until - when there is no more time for it. Default: never
 */
export async function caughtUp(context: ReceiverContext, found: ControlResult, until?: Deadline): Promise<void> {
  if (found.unseen) return;
  const kit = new CaseKit(context, { ...control, case: 1 }, found);
  let row = 0;
  for (let tried = 0; tried < tries && row < inRow && !context.ended.aborted && until?.over !== true; tried++) {
    const answer = await context.activity.run(() => kit.deliver(kit.compose(found.control))).catch(() => undefined);
    row = answer && kit.accepts(answer) ? row + 1 : 0;
  }
}

/** Milliseconds in which a target that failed may be there again, and between two looks. */
const comingBack = { ms: 3000, pause: 100 } as const;

/** Waits until a plain delivery is accepted again, where the last answers were failures: of them a case that begins now would be accused. */
export async function servedAgain(context: ReceiverContext, found: ControlResult): Promise<void> {
  const { log, ended } = context;
  if (found.unseen || !log.fails || log.failsForGood) return;
  const kit = new CaseKit(context, { ...control, case: 2 }, found);
  for (const began = performance.now(); !ended.aborted; await sleep(comingBack.pause)) {
    if (kit.accepts(await kit.deliver(kit.compose(found.control)))) return;
    if (performance.now() - began > comingBack.ms) break;
  }
  log.failsForGood = true;
}

/** What a plain delivery may be like that a receiver takes which refuses those of whole seconds, as they should be. */
export function othersThan(
  refusal: Answer,
  plan: Pick<ReceiverPlan, 'contract' | 'assumptions' | 'secrets'>,
): readonly Taken[] {
  const assumed = assumptionValue(plan.assumptions, 'body.mediaType');
  // Where a contract has a JSON type of its own, body parsers often know the usual one alone.
  const types = new Set([...jsonMediaTypes(plan.contract), 'application/json']);
  const mediaTypes = [...types].filter((mediaType) => mediaType !== assumed);
  const content = [{ fraction: '.000' }, ...mediaTypes.map((mediaType) => ({ fraction: '', mediaType }))];
  const foreign =
    plan.secrets.length === 0 ? [] : [...plan.secrets.slice(1), 'not the secret of this receiver', null, ''];
  return [
    // An error that nobody handled may come of what the content is like.
    ...(mayRefuseContent(refusal) || refusal.kind === 'broken' || hasStatusClass(refusal, 5) ? content : []),
    ...foreign.map((secret) => ({ fraction: '', secret })),
  ];
}

/** The JSON media types that the contract names anywhere in a request, the delivery's own also with its charset. */
export function jsonMediaTypes({ delivery, operations }: Contract): readonly string[] {
  const { mediaType } = delivery;
  const named = operations.flatMap(({ request }) => Object.keys(request ?? {}));
  const json = named.filter((name) => /[/+]json$/.test(name));
  return [...new Set([`${mediaType}; charset=utf-8`, `${mediaType};charset=UTF-8`, ...json])];
}

/**
 * The smallest notification of each event, by its name. That none can be made of an event is observed.
 *
 * @param fraction - what follows the whole seconds of its creation time: see `Taken`
 */
export function smallestOfEach(
  context: ReceiverContext,
  events: readonly CatalogueEvent[],
  fraction: string,
): ReadonlyMap<string, Notification> {
  const plain = new Map<string, Notification>();
  for (const event of events) {
    const notification = smallestOrWhy(context, event, fraction);
    if (!(notification instanceof Error)) plain.set(event.name, notification);
    else if (fraction === '') observeImpossible(context, event, notification);
  }
  return plain;
}

/** What no value is valid for, or what does not compile, is an event that nobody can send. */
function smallestOrWhy(
  context: ReceiverContext,
  event: CatalogueEvent,
  fraction: string,
): Notification | UnsupportedSchema | ContractError {
  try {
    return smallest(context, event, fraction);
  } catch (error) {
    if (error instanceof UnsupportedSchema || error instanceof ContractError) return error;
    throw error;
  }
}

function observeImpossible(context: ReceiverContext, { name }: CatalogueEvent, { message: evidence }: Error): void {
  const value = `the event ${name} is not tested: no valid body of it can be made`;
  context.emit({ type: 'observed', gap: 'RCV-1', value, evidence });
}

export function noEventPossible({ plan: { contract } }: ReceiverContext): UsageError {
  return new UsageError('SW_CONTRACT_INVALID', {
    received: `no valid body of any event of the contract ${contract.name} can be made`,
    valid: 'a JSON Schema for each event that at least one value meets',
    next: 'seaworthy contract check says which schema is the reason, and where',
  });
}

/** What shrinking ends at, by event: finding it takes milliseconds, and no run needs another one. */
const plainest = new WeakMap<CatalogueEvent, Notification>();

function smallest({ plan, startedAt: now }: ReceiverContext, event: CatalogueEvent, fraction: string): Notification {
  const notification = plainest.get(event) ?? smallestOf(notificationArbitrary(plan.contract, event));
  plainest.set(event, notification);
  return madeRecent(plan.contract, notification, { now, within: 1, fraction });
}
