import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { type CaseKind, receiverCheck, type Finding } from '../../check.ts';
import type { Attempt, Delivery, Header } from '../../delivery.ts';
import { type Draw, passing } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { type Point, finding } from '../../finding.ts';
import { createdAt, creationTime, laterThanAll } from '../creationTime.ts';
import { acceptedTogether, acceptedTwin, acceptedStatuses, deliveredWithRetries } from '../expectation.ts';
import { hasCases, otherCases, neighbourIds } from '../otherIds.ts';
import { namesakes, resourcesFirst, type Change } from '../namesakes.ts';
import { lostBesideOthers, lostOf, eventsOfOneObject, secondOfItsEvent, twoOfEachEvent } from './besideOthers.ts';
import { unlikeBefore } from '../unlikeBefore.ts';
import { transportHeaders, withTransport } from './otherwise.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';

interface SiblingCase {
  readonly notification: Notification;
  readonly sibling: Sibling | Change;
  readonly together: boolean;
}

/** Section 6.3: the id alone distinguishes one notification from another. */
export const idAloneDecides = receiverCheck<SiblingCase>({
  id: 'receiver/idempotency/id-alone-decides',
  title: 'keeps notifications apart that differ in nothing but their id',
  requirements: ['IDM-4', 'RTY-1', 'RCV-1'],
  needs: ['probe'],
  cases: (draw) => [
    ...siblings.map((sibling) => siblingCase(draw, sibling)),
    ...(hasCases(draw.contract) ? [siblingCase(draw, anotherCase)] : []),
    ...inOrderOfTime(draw),
    ...otherBodies(draw),
    siblingCase(draw, sameEvent),
    siblingCase(draw, eachEvent),
    ...(draw.contract.delivery.members.object === undefined ? [] : [siblingCase(draw, sameObject)]),
  ],
  run: async (kit, one) => {
    const { sibling, together } = one;
    if (sibling === sameEvent) return secondOfItsEvent(kit);
    if (sibling === eachEvent) return twoOfEachEvent(kit);
    if (sibling === sameObject) return eventsOfOneObject(kit);
    const refused = sibling === sameContent ? await refusedOnceMore(kit, one.notification) : undefined;
    if (refused !== undefined) return refused;
    const now = kit.now();
    const first = await delivered(kit, one, now);
    // What came before may have been created later than now.
    const isDropped = sibling === olderThanLast && first.attempts.every((sent) => countOf(first.effects, sent) === 0);
    const newest = isDropped ? laterThanAll(kit) : now;
    const { attempts, effects, apart } = isDropped ? await delivered(kit, one, newest) : first;
    // No id decides about what takes no effect under either of its ids where nobody has seen one of them before.
    if (apart.length > 0 && apart.every((id) => effects.get(id) === 0)) return undefined;
    const found = lostOf(kit, attempts, effects, {
      requirement: 'IDM-4',
      difference: typeof sibling === 'string' ? sibling : sibling.words,
      concurrent: together,
      ...hintOf(sibling),
    });
    if (!found) return undefined;
    const others = sibling === olderThanLast ? inOrderAfter(kit, newest) : unlikeOthers(kit);
    return (await lostBesideOthers(kit, others, together)) ?? found;
  },
  hint: 'Deduplicate by the whole id of the notification. Event, time and content repeat in real life; a part of the id or a hash of the body is no key.',
});

/** Both are delivered, and awaited. @param newest - seconds at which the newest is created that comes after none newer */
async function delivered(kit: ReceiverKit, { notification, sibling, together }: SiblingCase, newest: number) {
  const pair = pairOf(kit, notification, sibling, newest);
  const attempts = await (together ? acceptedTogether(kit, pair) : inTurn(kit, pair));
  const apart = typeof sibling === 'object' ? await apartFrom(kit, notification, sibling) : [];
  const others = apart.map((id) => [id, 0] as const);
  return { attempts, apart, effects: await kit.effects(new Map([...others, ...oneOfEach(...attempts)])) };
}

/** Delivers a body of the same sort that names an id of its own elsewhere. @returns both ids; none where it is refused */
async function apartFrom(kit: ReceiverKit, notification: Notification, { apply }: Change): Promise<readonly string[]> {
  const named = kit.freshId();
  const delivery = kit.compose(apply(notification, named));
  return kit.accepts(await kit.deliverWithRetries(delivery)) ? [delivery.id, named] : [];
}

/** Notifications that have nothing in common but their moment. */
const unrelated = 8;

/** Each of another event. */
function unlikeOthers(kit: ReceiverKit): readonly Delivery[] {
  return plainOfEach(kit).map((plain) => kit.compose(unlikeBefore(kit, plain)));
}

/** The same, in the order in which they were created. @param seconds - all were created later */
function inOrderAfter(kit: ReceiverKit, seconds: number): readonly Delivery[] {
  return plainOfEach(kit).map((plain, at) => kit.compose(createdAt(kit.contract, plain, seconds + at + 1)));
}

function plainOfEach(kit: ReceiverKit): readonly Notification[] {
  return kit.beginning.attempts.slice(0, unrelated).map(({ delivery: { event } }) => kit.plain({ event, value: null }));
}

/** Seconds between two notifications that come in the wrong order. */
const earlier = 10;

const sameTransport = 'another id under the same transport headers';

const sameContent = 'another id';

const siblings = [
  sameContent,
  'an id that differs in its last digit',
  'an id that differs in its first digit',
  sameTransport,
] as const;

const anotherCase = 'an id that differs in the case of one letter';

const behindResources = 'another id, which stands behind the related resources';

const sameEvent = 'the second of its event';

const eachEvent = 'two of each event';

const sameObject = 'two events of one object';

const olderThanLast = 'another id, and a creation time before that of the last one';

type Sibling =
  | (typeof siblings)[number]
  | typeof anotherCase
  | typeof behindResources
  | typeof olderThanLast
  | typeof sameEvent
  | typeof eachEvent
  | typeof sameObject;

/** One that comes after another, and was created before it: there are none where a notification says nothing of its time. */
function inOrderOfTime(draw: Draw): readonly CaseKind<SiblingCase>[] {
  const dated = passing(
    siblingCase(draw, olderThanLast),
    (one) => creationTime(draw.contract, one.notification) !== undefined,
  );
  return dated.map((one) => one.map((value) => ({ ...value, together: false })));
}

function hintOf(sibling: Sibling | Change): Pick<Point, 'hint'> {
  if (typeof sibling === 'object') return { hint: sibling.hint };
  if (sibling === anotherCase)
    return {
      hint: 'Ids are compared without regard to case: many databases do so by default. Give the column a binary collation, and change no letter of an id.',
    };
  if (sibling !== olderThanLast) return {};
  return {
    hint: 'Notifications come in any order, for each is retried by itself. Take one that is older than the last one all the same: remember ids, not the newest time.',
  };
}

/** A notification, and another one that is close to it in some way. */
function pairOf(
  kit: ReceiverKit,
  drawn: Notification,
  sibling: Sibling | Change,
  newest: number,
): readonly [Delivery, Delivery] {
  if (sibling === olderThanLast) {
    // Newer than all that came before, so that only their order is wrong.
    const created = (at: number) => kit.compose(createdAt(kit.contract, drawn, at));
    return [created(newest), created(newest - earlier)];
  }
  const notification = unlikeBefore(kit, drawn);
  const shared = sibling === sameTransport ? sharedHeaders(kit) : [];
  const first = sibling === behindResources ? resourcesFirst(notification, kit.contract) : notification;
  const one = withTransport(kit.compose(first), shared);
  return [one, withTransport(siblingOf(kit, one, notification, sibling), shared)];
}

/** Bodies that name ids and events at other places, too: there are none where the body does not hold the id. */
function otherBodies(draw: Draw): readonly CaseKind<SiblingCase>[] {
  const { included } = draw.contract.delivery.members;
  const behind = included === undefined ? [] : [siblingCase(draw, behindResources)];
  const changes = Map.groupBy(namesakes(draw.contract), ({ sort }) => sort);
  const of = (sort: Change['sort']) => (changes.get(sort) ?? []).flatMap((change) => fitting(draw, change));
  return [[...behind, ...of('an id before')], of('an id elsewhere'), of('an event')].filter((kind) => kind.length > 0);
}

function fitting(draw: Draw, change: Change): readonly Arbitrary<SiblingCase>[] {
  return passing(siblingCase(draw, change), ({ notification }) => change.fits?.(notification) ?? true);
}

function siblingCase(draw: Draw, sibling: Sibling | Change): Arbitrary<SiblingCase> {
  return fc.record({ sibling: fc.constant(sibling), together: fc.boolean(), notification: draw.notification() });
}

/** Another notification that is close to the first one in some way. */
function siblingOf(kit: ReceiverKit, one: Delivery, notification: Notification, sibling: Sibling | Change): Delivery {
  if (typeof sibling === 'object') return kit.compose(sibling.apply(notification, one.id));
  if (sibling === behindResources) return kit.compose(resourcesFirst(notification, kit.contract));
  return kit.compose(notification, { id: siblingId(kit, one.id, sibling) });
}

function siblingId(kit: ReceiverKit, id: string, sibling: Sibling): string {
  if (sibling.startsWith('another id')) return kit.freshId();
  if (sibling === anotherCase) return otherCases(kit.contract, id)[0] ?? kit.freshId();
  const ids = neighbourIds(kit.contract, id);
  return (sibling === 'an id that differs in its last digit' ? ids.at(-1) : ids[0]) ?? kit.freshId();
}

/** Those that a proxy may give to two requests. The others are said to be ids of a message. */
function sharedHeaders(kit: ReceiverKit): readonly Header[] {
  return transportHeaders(kit).filter(([name]) => !/^(?:idempotency-key|webhook-id)$/i.test(name));
}

async function inTurn(kit: ReceiverKit, [one, other]: readonly [Delivery, Delivery]): Promise<readonly Attempt[]> {
  return [await acceptedTwin(kit, one), await acceptedTwin(kit, other)];
}

/** So often must the first of two be accepted and the second refused: any one may be refused by chance. */
const pairsOfTwo = 3;

/**
 * A notification that is refused because another one said the same: of two about things that are new to the receiver, the
 * first is accepted each time, and the second is not.
 */
async function refusedOnceMore(kit: ReceiverKit, drawn: Notification): Promise<Finding | undefined> {
  let [first, second]: readonly (Attempt | undefined)[] = [];
  for (let pair = 0; pair < pairsOfTwo; pair++) {
    const notification = unlikeBefore(kit, drawn);
    first = await acceptedTwin(kit, kit.compose(notification));
    second = await deliveredWithRetries(kit, kit.compose(notification));
    if (!hasStatusClass(second.answer, 4) && !hasStatusClass(second.answer, 5)) return undefined;
  }
  if (first === undefined || second === undefined) return undefined;
  return finding(
    {
      requirement: 'RCV-1',
      twin: first,
      difference: 'another id, of a notification that says the same as one before',
      hint:
        'The first of two notifications that say the same was accepted, and the second was refused, as where something in it (a ' +
        'related resource, an order, a time) is inserted a second time and must be unique. Many events are about the same ' +
        'thing: update what is there, and keep only the id of the notification unique.',
    },
    {
      attempts: [first, second],
      expected: `each of the two is accepted: status ${acceptedStatuses(kit)}`,
      actual: describeAnswer(second.answer),
      absence: true,
    },
  );
}
