import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import type { Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { Point } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { acceptedTwin } from '../expectation.ts';
import { isAllowed } from '../namesakes.ts';
import { unlikeBefore } from '../unlikeBefore.ts';
import { lostOf } from './lostBesideOthers.ts';

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
