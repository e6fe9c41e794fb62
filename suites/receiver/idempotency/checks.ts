import fc from 'fast-check';

import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { largeNat } from '../../../generators/schema/largeNat.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { rawForm } from '../../../generators/spelling/rawForm.ts';
import { withPointer } from '../../../generators/json/withPointer.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, Unproven, type ReceiverCheck } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { cutAt, cuts, type Cut } from '../cut.ts';
import { expectEffects } from '../effect.ts';
import { acceptedStatuses, acceptedTwin, attempt, finding } from '../expectation.ts';
import { spoilt } from '../spoiling.ts';
import type { RawForm } from '../../../generators/spelling/edit.ts';
import { lateRedelivery } from './lateRedelivery.ts';
import { itemOf, pairs } from '../../items.ts';

/** Section 6.3: a redelivery of what was acknowledged is acknowledged. */
const redeliveryAccepted = receiverCheck<{ notification: Notification; redeliveries: number; form: RawForm }>({
  id: 'receiver/idempotency/redelivery-accepted',
  title: 'answers the redelivery of an acknowledged notification with an accepting status',
  requirements: ['IDM-1'],
  needs: [],
  cases: (draw) =>
    [fc.constant<RawForm>([]), rawForm({ kinds: ['whitespace', 'key-order'] })].map((form) =>
      fc.record({
        redeliveries: fc.integer({ min: 1, max: draw.contract.delivery.retries }),
        form,
        notification: draw.notification(),
      }),
    ),
  run: async (kit, { notification, redeliveries, form }) => {
    const first = kit.compose(notification);
    const twin = await acceptedTwin(kit, first);
    if (form.length > 0) await acceptedTwin(kit, kit.compose(notification, { form }));
    const delivery = kit.compose(notification, { id: first.id, form });
    for (let redelivery = 1; redelivery <= redeliveries; redelivery++) {
      let answer = await kit.deliver(delivery);
      if (answer.kind === 'answered' && !kit.accepts(answer)) answer = await kit.deliverWithRetries(delivery);
      // One that answers nobody any more is another requirement's matter.
      if (answer.kind === 'timed-out') await acceptedTwin(kit, kit.compose(notification));
      if (answer.kind !== 'broken' && !kit.accepts(answer)) {
        const expected = `the redelivery is accepted: status ${acceptedStatuses(kit)}`;
        return finding(
          [twin, attempt(delivery, answer)],
          { requirement: 'IDM-1', twin, difference: `redelivery ${redelivery} of the same notification` },
          { expected, actual: describeAnswer(answer), absence: true },
        );
      }
    }
    return undefined;
  },
  hint: 'Answer a duplicate exactly like the first delivery. After a 409, any other refusal, or no answer at all (a branch that finds the id and only returns) the service sends it again, up to the last retry.',
});

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
  /** Whether the sender never saw the answers to the first deliveries. */
  readonly answerLost: boolean;
}

/** Section 6.3: however often it is delivered, it takes effect once. */
const takesEffectOnce = receiverCheck<RedeliveryCase>({
  id: 'receiver/idempotency/takes-effect-once',
  title: 'lets a notification take effect once, whatever the gap, order or number of its redeliveries',
  requirements: ['IDM-2'],
  needs: ['probe'],
  cases: (draw) => {
    const order = (most: number) => fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: most });
    const base = {
      order: order(6),
      form: fc.constant<RawForm>([]),
      status: fc.constant(itemOf(draw.statuses, 0)),
      gap: fc.constant(0),
      afterEffect: fc.constant(false),
      answerLost: fc.constant(false),
      notifications: fc.array(draw.notification(), { minLength: 1, maxLength: 3 }),
    };
    return [
      fc.record(base),
      fc.record({
        ...base,
        order: largeNat(draw.contract.delivery.retries - 1).map((times) => Array<number>(times + 1).fill(0)),
      }),
      fc.record({ ...base, gap: fc.integer({ min: 0, max: 150 }), order: order(3) }),
      fc.record({ ...base, form: rawForm({ kinds: ['whitespace', 'key-order', 'unicode-escape'] }) }),
      fc.record({ ...base, status: fc.constantFrom(...draw.statuses.slice(1)), order: order(2) }),
      fc.record({ ...base, afterEffect: fc.constant(true), order: order(2) }),
      fc.record({ ...base, answerLost: fc.constant(true), gap: fc.integer({ min: 100, max: 200 }), order: order(2) }),
    ];
  },
  run: async (kit, value) => {
    const deliveries = value.notifications.map((notification) => kit.compose(notification));
    if (value.answerLost) {
      for (const delivery of deliveries) await kit.deliver(cutAt(delivery, 'the connection breaks after the body'));
      await kit.pause(value.gap);
    }
    const first = await accepted(kit, deliveries);
    if (value.afterEffect) await kit.untilEffect(first.map(({ delivery }) => delivery.id));
    for (const place of value.order) {
      const which = place % first.length;
      if (value.gap > 0) await kit.pause(value.gap);
      await kit.deliverWithRetries(redelivery(kit, value, which, itemOf(first, which).delivery));
    }
    const point = { requirement: 'IDM-2', difference: describeRedeliveries(kit, value) } as const;
    return expectEffects(kit, { attempts: first, claim: 'not repeated', point });
  },
  hint:
    'Keep the ids of what you have accepted, in the same database and transaction as the effect, without an end date, ' +
    'and drop a delivery whose id is there. Key it on the id alone: the bytes, the time and the event may repeat or differ.',
});

/** Section 6.3: the same when the copies arrive together. */
const concurrentCopies = receiverCheck<{
  notification: Notification;
  copies: number;
  lastByteTogether: boolean;
}>({
  id: 'receiver/idempotency/concurrent-copies',
  title: 'lets a notification take effect once when its redeliveries arrive at the same time',
  requirements: ['IDM-3'],
  needs: ['probe'],
  cases: (draw) =>
    [false, true].map((lastByteTogether) =>
      fc.record({
        copies: fc.integer({ min: 2, max: draw.contract.delivery.retries }),
        lastByteTogether: fc.constant(lastByteTogether),
        notification: draw.notification(),
      }),
    ),
  run: async (kit, { notification, copies, lastByteTogether }) => {
    const delivery = kit.compose(notification);
    const copy = lastByteTogether ? { ...delivery, wire: lastByteHeld(delivery) } : delivery;
    const answers = await kit.together(Array.from({ length: copies }, () => copy));
    if (!answers.some((answer) => kit.accepts(answer))) await acceptedTwin(kit, delivery);
    const point = { requirement: 'IDM-3', difference: `${copies} copies at the same time`, concurrent: true } as const;
    return expectEffects(kit, { attempts: [attempt(copy, itemOf(answers, 0))], claim: 'once', point });
  },
  hint:
    'Let a unique index decide: insert the id and the work in one transaction, and treat the conflict as a ' +
    'duplicate. If you look the id up first and insert it later, a second copy slips through the gap.',
});

/** Section 6.3: the id alone distinguishes one notification from another. */
const idAloneDecides = receiverCheck<{ notification: Notification; sibling: Sibling; together: boolean }>({
  id: 'receiver/idempotency/id-alone-decides',
  title: 'keeps notifications apart that differ in nothing but their id',
  requirements: ['IDM-4'],
  needs: ['probe'],
  cases: (draw) =>
    siblings.map((sibling) =>
      fc.record({ sibling: fc.constant(sibling), together: fc.boolean(), notification: draw.notification() }),
    ),
  run: async (kit, { notification, sibling, together }) => {
    const one = kit.compose(notification);
    const other = kit.compose(notification, { id: siblingOf(one.id, kit.freshId(), sibling) });
    const attempts = together ? await allAccepted(kit, [one, other]) : await accepted(kit, [one, other]);
    const effects = await kit.effects(new Map(attempts.map(({ delivery }) => [delivery.id, 1])));
    const lost = attempts.find(({ delivery }) => effects.get(delivery.id) === 0);
    if (!lost) return undefined;
    const kept = attempts.filter((sent) => sent !== lost);
    return finding(
      [...kept, lost],
      {
        requirement: 'IDM-4',
        twin: itemOf(kept, 0),
        difference: sibling,
        concurrent: together,
      },
      {
        expected: 'one effect for each of the two ids',
        actual: 'no effect for one of them',
        absence: true,
        effects: [{ id: lost.delivery.id, expected: 1, actual: 0 }],
      },
    );
  },
  hint: 'Deduplicate by the whole id of the notification. Event, time and content repeat in real life; a part of the id or a hash of the body is no key.',
});

/** Section 6.3: a delivery that failed is no delivery. */
const firstDeliveryFailed = receiverCheck<{ notification: Notification; failure: FirstFailure }>({
  id: 'receiver/idempotency/first-delivery-failed',
  title: 'lets a notification take effect when it is redelivered after its first delivery failed',
  requirements: ['IDM-5'],
  needs: ['probe'],
  schedule: { kind: 'alone' },
  cases: (draw) =>
    firstFailures.map((failure) => fc.record({ failure: fc.constant(failure), notification: draw.notification() })),
  run: async (kit, { notification, failure }) => {
    const delivery = kit.compose(notification);
    await kit.deliver(failing(kit, delivery, failure));
    const answer = await kit.deliverWithRetries(delivery);
    const point = { requirement: 'IDM-5', difference: `first ${failure}, then delivered in full` } as const;
    if (answer.kind !== 'answered') {
      const expected = 'the redelivery is accepted, and takes effect';
      return finding(kit.attempts, point, { expected, actual: describeAnswer(answer), absence: true });
    }
    if (!kit.accepts(answer)) throw new Unproven(`the redelivery was not accepted: ${describeAnswer(answer)}`);
    return expectEffects(kit, { attempts: [attempt(delivery, answer)], claim: 'not lost', point });
  },
  hint: 'Mark an id as done in the transaction that does the work, not when the request arrives: what failed half-way must not count as a duplicate.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const idempotencyChecks: readonly ReceiverCheck[] = [
  redeliveryAccepted,
  takesEffectOnce,
  lateRedelivery,
  concurrentCopies,
  idAloneDecides,
  firstDeliveryFailed,
];

const siblings = [
  'another id',
  'an id that differs in its last digit',
  'an id that differs in its first digit',
] as const;
type Sibling = (typeof siblings)[number];

function siblingOf(id: string, fresh: string, sibling: Sibling): string {
  if (sibling === 'another id') return fresh;
  const place = sibling === 'an id that differs in its last digit' ? id.length - 1 : 0;
  const digit = id[place] === '0' ? '1' : '0';
  return id.slice(0, place) + digit + id.slice(place + 1);
}

const firstFailures = [...cuts, 'a body that ends in the middle', 'a body that is empty'] as const;
type FirstFailure = Cut | 'a body that ends in the middle' | 'a body that is empty';

function failing(kit: ReceiverKit, delivery: Delivery, failure: FirstFailure): Delivery {
  if (failure === 'a body that ends in the middle' || failure === 'a body that is empty') {
    const spoiling = failure === 'a body that is empty' ? 'the body is empty' : 'the body ends in the middle';
    return kit.withBody(delivery, spoilt(delivery.body, spoiling, kit.contract.delivery.members.id));
  }
  return cutAt(delivery, failure);
}

function lastByteHeld({ body }: Delivery) {
  const most = (body.length - 1) / body.length;
  return {
    framing: 'length' as const,
    steps: [
      { send: 'head' },
      { send: 'body', from: 0, to: most },
      { barrier: true },
      { send: 'body', from: most, to: 1 },
    ] as const,
  };
}

function redelivery(kit: ReceiverKit, value: RedeliveryCase, which: number, first: Delivery): Delivery {
  const { notifications, form, status } = value;
  const { event, value: body } = itemOf(notifications, which);
  const pointer = kit.contract.delivery.members.status;
  if (form.length === 0 && valueAt(body, pointer) === status) return first;
  return kit.compose({ event, value: withPointer(body, pointer, status) }, { id: first.id, form });
}

function describeRedeliveries(kit: ReceiverKit, value: RedeliveryCase): string {
  const { order, form, status, afterEffect, answerLost, gap } = value;
  const changed = valueAt(itemOf(value.notifications, 0).value, kit.contract.delivery.members.status) !== status;
  return [
    order.length === 1 ? 'one redelivery' : `${order.length} redeliveries`,
    ...(form.length > 0 ? ['in other bytes'] : []),
    ...(changed ? [`with the status ${status}`] : []),
    ...(afterEffect ? ['after the effect'] : []),
    ...(answerLost ? ['after a connection that broke before the answer'] : []),
    ...(gap > 0 ? [`${gap} ms apart`] : []),
  ].join(', ');
}

async function accepted(kit: ReceiverKit, deliveries: readonly Delivery[]): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  for (const delivery of deliveries) attempts.push(await acceptedTwin(kit, delivery));
  return attempts;
}

async function allAccepted(kit: ReceiverKit, deliveries: readonly Delivery[]): Promise<readonly Attempt[]> {
  const answers = await kit.together(deliveries);
  return Promise.all(
    pairs(deliveries, answers).map(async ([delivery, answer]) =>
      kit.accepts(answer) ? attempt(delivery, answer) : acceptedTwin(kit, delivery),
    ),
  );
}
