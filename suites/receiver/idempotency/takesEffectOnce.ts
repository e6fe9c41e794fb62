import fc, { type Arbitrary } from 'fast-check';

import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { largeNat } from '../../../generators/arbitraries.ts';
import type { RawForm } from '../../../generators/spelling/edit.ts';
import { rawForm } from '../../../generators/spelling/rawForm.ts';
import { receiverCheck } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { idsOf } from '../counting.ts';
import { createdAt } from '../creationTime.ts';
import { cutAt } from '../onWire.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin } from '../expectation.ts';
import { otherwise } from './otherwise.ts';

interface RedeliveryCase {
  readonly notifications: readonly Notification[];
  /** Which of the notifications is redelivered, in this order. */
  readonly order: readonly number[];
  /** The spelling of the redelivered bodies; empty for the same bytes. */
  readonly form: RawForm;
  /** The delivery status that redelivered bodies carry; the first deliveries carry the initial one. */
  readonly status: string;
  /** Milliseconds before each redelivery. */
  readonly gap: number;
  /** Whether the redeliveries wait until the first deliveries have taken effect. */
  readonly afterEffect: boolean;
  /** Whether they were created days before: the last retry of a service comes late. */
  readonly old: boolean;
  /** Whether the sender never saw the answers to the first deliveries. */
  readonly answerLost: boolean;
  /** What is spelt otherwise, though it distinguishes no two notifications. */
  readonly otherwise?: keyof typeof otherwise;
}

/** Seconds from the creation of an old notification to its delivery: longer than a day, for which many keep what they had. */
const threeDays = 3 * 24 * 60 * 60;

/** Section 6.3: however often it is delivered, it takes effect once. */
export const takesEffectOnce = receiverCheck<RedeliveryCase>({
  id: 'receiver/idempotency/takes-effect-once',
  title: 'lets a notification take effect once, whatever the gap, order or number of its redeliveries',
  requirements: ['IDM-2'],
  needs: ['probe'],
  cases: (draw) => {
    const order = (most: number) => fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: most });
    const base = {
      order: order(6),
      form: fc.constant<RawForm>([]),
      status: fc.constant(draw.statuses[0] ?? ''),
      gap: fc.constant(0),
      afterEffect: fc.constant(false),
      old: fc.constant(false),
      answerLost: fc.constant(false),
      notifications: fc.array(draw.notification(), { minLength: 1, maxLength: 3 }),
    };
    return [
      fc.record(base),
      fc.record({ ...base, order: times(largeNat(draw.contract.delivery.redeliveries - 1).map((most) => most + 1)) }),
      // The last retry, after which a service gives up.
      fc.record({ ...base, order: times(fc.constant(draw.contract.delivery.redeliveries)) }),
      fc.record({ ...base, gap: fc.integer({ min: 0, max: 150 }), order: order(3) }),
      fc.record({ ...base, form: rawForm({ kinds: ['whitespace', 'key-order', 'unicode-escape'] }) }),
      ...(draw.statuses.length < 2
        ? []
        : [fc.record({ ...base, status: fc.constantFrom(...draw.statuses.slice(1)), order: order(2) })]),
      fc.record({ ...base, afterEffect: fc.constant(true), order: order(2) }),
      ...(draw.contract.delivery.members.createdAt === undefined
        ? []
        : [
            fc.record({
              ...base,
              old: fc.constant(true),
              afterEffect: fc.constant(true),
              gap: fc.constant(250),
              order: order(1),
            }),
          ]),
      fc.record({ ...base, answerLost: fc.constant(true), gap: fc.integer({ min: 100, max: 200 }), order: order(2) }),
      ...otherSpellings(draw).map((name) =>
        fc.record({ ...base, otherwise: fc.constant(name), order: order(1), notifications: one(draw.notification()) }),
      ),
    ];
  },
  run: async (kit, value) => {
    const created = kit.now() - threeDays;
    const deliveries = value.notifications.map((notification) =>
      kit.compose(value.old ? createdAt(kit.contract, notification, created) : notification),
    );
    if (value.answerLost) {
      for (const delivery of deliveries) await kit.deliver(cutAt(delivery, 'the connection breaks after the body'));
      await kit.pause(value.gap);
    }
    const first = await accepted(kit, deliveries);
    if (value.afterEffect) await kit.untilEffect(idsOf(first));
    for (const place of value.order) {
      const which = place % first.length;
      if (value.gap > 0) await kit.pause(value.gap);
      for (const again of redeliveries(kit, value, which, itemOf(first, which).delivery))
        await kit.deliverWithRetries(again);
    }
    const concurrent = value.gap > 0 || value.afterEffect;
    const point = { requirement: 'IDM-2', difference: describeRedeliveries(kit, value), concurrent } as const;
    return expectEffects(kit, { attempts: first, claim: 'not repeated', point });
  },
  hint:
    'Keep the ids of what you have accepted, in the same database and transaction as the effect, without an end date, ' +
    'and drop a delivery whose id is there. Key it on the id alone, as the JSON parser reads it: the bytes, the signature, ' +
    'the headers, the time and the event may repeat or differ. Where ids are removed in the end, count from their arrival: a ' +
    'notification may be days old when it comes.',
});

/** The first of them, so many times. */
function times(count: Arbitrary<number>): Arbitrary<number[]> {
  return count.map((most) => Array<number>(most).fill(0));
}

/** Without a secret no signature can be spelt otherwise, and an id in a header only one way. */
function otherSpellings({ secrets, contract }: Draw): readonly (keyof typeof otherwise)[] {
  const names = Object.keys(otherwise) as (keyof typeof otherwise)[];
  const impossible = new Set<keyof typeof otherwise>([
    ...(secrets.length > 0 ? [] : ['with its signature spelt otherwise' as const]),
    ...(contract.delivery.members.id === undefined ? ['with its id spelt otherwise' as const] : []),
  ]);
  return names.filter((name) => !impossible.has(name));
}

function one<T>(arbitrary: Arbitrary<T>): Arbitrary<T[]> {
  return fc.tuple(arbitrary);
}

function redeliveries(kit: ReceiverKit, value: RedeliveryCase, which: number, first: Delivery): readonly Delivery[] {
  return value.otherwise === undefined
    ? [redelivery(kit, value, which, first)]
    : otherwise[value.otherwise](kit, first);
}

function redelivery(kit: ReceiverKit, value: RedeliveryCase, which: number, first: Delivery): Delivery {
  const { notifications, form, status } = value;
  const { event, value: body } = itemOf(notifications, which);
  const pointer = kit.contract.delivery.members.status;
  const isSame = pointer === undefined || valueAt(body, pointer) === status;
  if (form.length === 0 && isSame) return first;
  return kit.compose({ event, value: isSame ? body : withPointer(body, pointer, status) }, { id: first.id, form });
}

function redeliveriesInWords({ order, otherwise: manner }: RedeliveryCase): string {
  if (manner !== undefined) return `redelivered ${manner}`;
  return order.length === 1 ? 'one redelivery' : `${order.length} redeliveries`;
}

function describeRedeliveries(kit: ReceiverKit, value: RedeliveryCase): string {
  const { form, status, afterEffect, answerLost, gap, old } = value;
  const pointer = kit.contract.delivery.members.status;
  const changed = pointer !== undefined && valueAt(itemOf(value.notifications, 0).value, pointer) !== status;
  return [
    redeliveriesInWords(value),
    ...(form.length > 0 ? ['in other bytes'] : []),
    ...(changed ? [`with the status ${status}`] : []),
    ...(afterEffect ? ['after the effect'] : []),
    ...(answerLost ? ['after a connection that broke before the answer'] : []),
    ...(gap > 0 ? [`${gap} ms apart`] : []),
    ...(old ? ['created three days before'] : []),
  ].join(', ');
}

/** Each of them has to be accepted, one after the other. */
async function accepted(kit: ReceiverKit, deliveries: readonly Delivery[]): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const delivery of deliveries) attempts.push(await acceptedTwin(kit, delivery));
  return attempts;
}
