import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { type Finding, Unproven } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import { type Point, finding } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach, effectsAlone, mixedUpHint } from '../counting.ts';
import { acceptedTwin, acceptedTogether, attemptsOf } from '../expectation.ts';
import { isAllowed } from '../namesakes.ts';
import { unlikeBefore } from '../unlikeBefore.ts';
import { itemOf } from '../../items.ts';
import { allSent } from '../effect.ts';

/** Pairs of events of which one object tells enough. */
const most = 4;

/** Two events of different names about one object: it is created, and then it is updated. */
export async function eventsOfOneObject(kit: ReceiverKit): Promise<Finding | undefined> {
  const sent: (readonly Attempt[])[] = [];
  for (const pair of pairsOf(kit)) sent.push(await deliveredAbout(kit, pair));
  const effects = await kit.effects(oneOfEach(...sent.flat()));
  const suspected = sent.find((two) => new Set(two.map((one) => countOf(effects, one) > 0)).size > 1);
  if (suspected === undefined) return undefined;
  // Once more, about another object: what is lost by chance is hardly lost again.
  const names = suspected.map(({ delivery }) => delivery.event);
  const two = await deliveredAbout(
    kit,
    names.map((event) => unlikeBefore(kit, kit.plain({ event, value: null }))),
  );
  return lostOf(kit, two, await kit.effects(oneOfEach(...two)), ofOneObject);
}

/** Notifications of which the second can be about the object of the first, each event in one pair at most. */
function pairsOf(kit: ReceiverKit): readonly (readonly Notification[])[] {
  const events = [...new Set(kit.beginning.attempts.map(({ delivery }) => delivery.event))];
  const left = events.map((event) => unlikeBefore(kit, kit.plain({ event, value: null })));
  const pairs: (readonly Notification[])[] = [];
  for (let first = left.shift(); first !== undefined && pairs.length < most; first = left.shift()) {
    const one = first;
    const at = left.findIndex((other) => canShare(kit, one, other));
    if (at !== -1) pairs.push([one, ...left.splice(at, 1)]);
  }
  return pairs;
}

function canShare(kit: ReceiverKit, one: Notification, { event, value }: Notification): boolean {
  const { object = '' } = kit.contract.delivery.members;
  const [of, own] = [valueAt(one.value, object), valueAt(value, object)];
  if (typeof of !== 'string' || typeof own !== 'string') return false;
  return isAllowed(kit.contract, { event, value: withPointer(value, object, of) });
}

async function deliveredAbout(kit: ReceiverKit, pair: readonly Notification[]): Promise<readonly Attempt[]> {
  const { object: place = '' } = kit.contract.delivery.members;
  const sent: Attempt[] = [];
  for (const notification of pair) {
    const body = sent[0] === undefined ? undefined : (JSON.parse(sent[0].delivery.body.toString()) as Json);
    const object = body === undefined ? undefined : valueAt(body, place);
    sent.push(await acceptedTwin(kit, kit.compose(notification, typeof object === 'string' ? { object } : {})));
  }
  return sent;
}

const ofOneObject: Point = {
  requirement: 'IDM-4',
  difference: 'another event of the same object came before it',
  hint:
    'A notification is taken for a duplicate where one about the same object came before, whatever its event. An object has ' +
    'many events in its life: deduplicate by the id of the notification.',
};

/** Events at a time: the two of one have to come at the same moment, and more connections at once would come later. */
const width = 4;

/** Events of which one notification each shows that it is not any two that are merged. */
const unrelated = 8;

/**
 * Two notifications of every event, at the same moment. Where only some events are merged, too few cases about any of them
 * come upon one.
 */
export async function twoOfEachEvent(kit: ReceiverKit): Promise<Finding | undefined> {
  const events = [...new Set(kit.beginning.attempts.map(({ delivery }) => delivery.event))];
  const sent: Attempt[] = [];
  for (let from = 0; from < events.length; from += width) {
    const two = events.slice(from, from + width).flatMap((event) => [event, event]);
    sent.push(...(await acceptedTogether(kit, fresh(kit, two))));
  }
  const effects = await kit.effects(oneOfEach(...sent));
  const lost = sent.find((one) => countOf(effects, one) === 0)?.delivery.event;
  if (lost === undefined) return undefined;
  // Once more, and alone: what is lost by chance is hardly lost again.
  const two = await acceptedTogether(kit, fresh(kit, [lost, lost]));
  const found = lostOf(kit, two, await kit.effects(oneOfEach(...two)), ofOneEvent);
  const others = events.filter((event) => event !== lost).slice(0, unrelated);
  return found && ((await lostBesideOthers(kit, fresh(kit, others), true)) ?? found);
}

function fresh(kit: ReceiverKit, events: readonly string[]): readonly Delivery[] {
  return events.map((event) => kit.compose(unlikeBefore(kit, kit.plain({ event, value: null }))));
}

const ofOneEvent: Point = {
  requirement: 'IDM-4',
  difference: 'another notification of the same event came at the same moment',
  concurrent: true,
  hint:
    'Of two notifications of one event that come soon after each other, one is dropped: often by a debounce, a throttle, or a job ' +
    'that has the event for its key. Each says something of its own: store every one, and merge at most what you do with them.',
};

/** So many more of the event must take no effect: one may be lost by chance. */
const more = 5;

const ofItsEvent = {
  difference: 'another notification of the same event came before it',
  hint: 'An event is taken for a duplicate where one of its name came before. It happens again in real life: deduplicate by the whole id of the notification.',
};

const ofAll = {
  difference: 'another notification came before it',
  hint: 'Only the first notification of all took effect, so duplicates are known by something that is the same in all of them: an id of the webhook or of the account, say. Deduplicate by the whole id of the notification.',
};

/**
 * An event that is taken once and never again. The control delivers one event before all others, and again beside them, when
 * those took effect: what is dropped since then is dropped for its event.
 */
export async function secondOfItsEvent(kit: ReceiverKit): Promise<Finding | undefined> {
  const { first, attempts, withoutEffect } = kit.beginning;
  const event = first?.delivery.event ?? '';
  const second = withoutEffect.find(({ delivery }) => delivery.event === event);
  if (first === undefined || second === undefined || !kit.accepts(first.answer)) return undefined;
  const others = Array.from({ length: more }, () => kit.compose(unlikeBefore(kit, kit.plain({ event, value: null }))));
  const sent = attemptsOf(others, await kit.inTurn(others));
  if (!sent.every(({ answer }) => kit.accepts(answer))) return undefined;
  const effects = await effectsAlone(kit, [first, second, ...sent]);
  const isDropped = [second, ...sent].every((one) => countOf(effects, one) === 0);
  if (countOf(effects, first) === 0 || !isDropped) return undefined;
  return finding(
    {
      requirement: 'IDM-4',
      twin: first,
      ...(attempts.every(({ delivery }) => delivery.id === first.delivery.id) ? ofAll : ofItsEvent),
    },
    {
      attempts: [first, second],
      expected: 'one effect for each of the two ids',
      actual: `no effect of the second of its event, nor of ${more} more`,
      absence: true,
      effects: [{ id: second.delivery.id, expected: 1, actual: 0 }],
    },
  );
}

/**
 * One of those that were accepted took no effect, and another did.
 *
 * @throws Unproven where none did, or where it was refused before: then it may be its redelivery that was dropped
 */
export function lostOf(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  effects: ReadonlyMap<string, number>,
  point: Point,
): Finding | undefined {
  const lost = attempts.find((sent) => countOf(effects, sent) === 0);
  if (!lost) return undefined;
  const kept = attempts.filter((sent) => countOf(effects, sent) > 0);
  if (kept.length === 0) throw new Unproven('none of them took effect');
  if (!allSent(kit, lost).every(({ answer }) => kit.accepts(answer)))
    throw new Unproven('one of them was refused at first, and took no effect when it was delivered again (IDM-5)');
  return finding(
    { twin: itemOf(kept, 0), ...point, ...mixedUpHint(effects, attempts) },
    {
      attempts: [...kept, lost],
      expected:
        attempts.length === 2 ? 'one effect for each of the two ids' : `one effect for each of ${attempts.length} ids`,
      actual: 'no effect for one of them',
      absence: true,
      effects: [{ id: lost.delivery.id, expected: 1, actual: 0 }],
    },
  );
}

/** What is lost beside any other, and is not lost alone, is not lost for what the two have in common. */
export async function lostBesideOthers(
  kit: ReceiverKit,
  others: readonly Delivery[],
  together: boolean,
): Promise<Finding | undefined> {
  if (others.length < 2) return undefined;
  const sent = attemptsOf(others, await (together ? kit.together(others) : kit.inTurn(others)));
  const accepted = sent.filter(({ answer }) => kit.accepts(answer));
  const found = lostOf(kit, accepted, await kit.effects(oneOfEach(...accepted)), {
    requirement: 'RTY-1',
    difference: `one of ${accepted.length} notifications of different events that were accepted ${together ? 'at the same moment' : 'one right after the other'}`,
    concurrent: true,
    hint: 'An error of the store is swallowed, often that it is locked or busy (SQLITE_BUSY, a serialisation failure, a deadlock): answer 503 then, or try again, and accept nothing that is not stored.',
  });
  const lost = found?.attempts.at(-1);
  if (lost === undefined) return undefined;
  const alone = await acceptedTwin(kit, kit.again(lost.delivery));
  return countOf(await kit.effects(oneOfEach(alone)), alone) > 0 ? found : undefined;
}
