import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { rawForm } from '../../../generators/spelling/rawForm.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { receiverCheck, Unproven, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { cutAt, cuts, type Cut, inTwo, onWire } from '../onWire.ts';
import { expectEffects } from '../effect.ts';
import { finding } from '../../finding.ts';
import { acceptedStatuses, acceptedTwin, attempt } from '../expectation.ts';
import { spoilt } from '../spoiling.ts';
import type { RawForm } from '../../../generators/spelling/edit.ts';
import { idAloneDecides } from './idAloneDecides.ts';
import { lateRedelivery, staysOnce } from './atTheEnd.ts';
import { passingFailure, slowBody } from './unfinished.ts';
import { lostRedelivery, redelivery } from '../redelivered.ts';
import { takesEffectOnce } from './takesEffectOnce.ts';
import { itemOf } from '../../items.ts';
import { fromPointer, valueAt } from '../../../generators/json/jsonPointer.ts';
import { placeOf } from '../../../spec/delivery.ts';
import { expectAnswered, unansweredHint } from '../robustness/hostile.ts';

interface Redelivered {
  readonly notification: Notification;
  readonly redeliveries: number;
  readonly form: RawForm;
}

/** Section 6.3: a redelivery of what was acknowledged is acknowledged. */
const redeliveryAccepted = receiverCheck<Redelivered>({
  id: 'receiver/idempotency/redelivery-accepted',
  title: 'answers the redelivery of an acknowledged notification with an accepting status',
  requirements: ['IDM-1'],
  needs: [],
  cases: (draw) =>
    [fc.constant<RawForm>([]), rawForm({ kinds: ['whitespace', 'key-order'] })].map((form) =>
      fc.record({
        redeliveries: fc.integer({ min: 1, max: draw.contract.delivery.redeliveries }),
        form,
        notification: draw.notification(),
      }),
    ),
  run: expectRedeliveriesAccepted,
  hint: 'Answer a duplicate exactly like the first delivery. After a 409, any other refusal, or no answer at all (a branch that finds the id and only returns) the service sends it again, up to the last retry.',
});

async function expectRedeliveriesAccepted(
  kit: ReceiverKit,
  { notification, redeliveries, form }: Redelivered,
): Promise<Finding | undefined> {
  const first = kit.compose(notification);
  const twin = await acceptedTwin(kit, first);
  if (form.length > 0) await acceptedTwin(kit, kit.compose(notification, { form }));
  const delivery = kit.compose(notification, { id: first.id, form });
  const attempts = [twin];
  for (let redelivery = 1; redelivery <= redeliveries; redelivery++) {
    let answer = await kit.deliver(delivery);
    if (answer.kind === 'answered' && !kit.accepts(answer)) answer = await kit.deliverWithRetries(delivery);
    // One that answers nobody any more is another requirement's matter.
    if (answer.kind === 'timed-out') await acceptedTwin(kit, kit.compose(notification));
    attempts.push(attempt(delivery, answer));
    if (answer.kind !== 'broken' && !kit.accepts(answer)) {
      const expected = `the redelivery is accepted: status ${acceptedStatuses(kit)}`;
      return finding(
        {
          requirement: 'IDM-1',
          twin,
          difference: `redelivery ${redelivery} of the same notification`,
          ...(hasStatusClass(answer, 5) && { hint: failsOnDuplicates }),
        },
        { attempts, expected, actual: describeAnswer(answer), absence: true },
      );
    }
  }
  return undefined;
}

const failsOnDuplicates =
  'What handles a duplicate fails: the log says where. Often an insert without a clause for the conflict, a record that is expected ' +
  'to be new, or something that only this path takes and never gives back (a connection, a lock, a transaction left open). Answer a ' +
  'duplicate exactly like the first delivery.';

/** Other notifications of which copies come at the same time: what keeps a few ids that are in work keeps no more. */
const besides = 11;

/** Section 6.3: the same when the copies arrive together. */
const concurrentCopies = receiverCheck<{
  notification: Notification;
  copies: number;
  /** How many other notifications come at the same time, in as many copies. */
  others: number;
  lastByteTogether: boolean;
}>({
  id: 'receiver/idempotency/concurrent-copies',
  title: 'lets a notification take effect once when its redeliveries arrive at the same time',
  requirements: ['IDM-3'],
  needs: ['probe'],
  cases: (draw) => {
    const copies = fc.integer({ min: 2, max: draw.contract.delivery.redeliveries });
    const base = { copies, others: fc.constant(0), notification: draw.notification() };
    return [
      fc.record({ ...base, lastByteTogether: fc.constant(false) }),
      fc.record({ ...base, lastByteTogether: fc.constant(true) }),
      fc.record({
        ...base,
        copies: fc.constant(2),
        others: fc.constant(besides),
        lastByteTogether: fc.constant(false),
      }),
    ];
  },
  run: async (kit, { notification, copies, others, lastByteTogether }) => {
    const all = Array.from({ length: 1 + others }, () => kit.compose(notification));
    const sent = all.map((each) => (lastByteTogether ? lastByteHeld(each) : each));
    // Between two copies of one come those of all others.
    const answers = await kit.together(Array.from({ length: copies }, () => sent).flat());
    const attempts = sent.map((delivery, place) => attempt(delivery, itemOf(answers, place)));
    for (const [place, delivery] of all.entries()) {
      const own = answers.filter((_, at) => at % all.length === place);
      if (!own.some((answer) => kit.accepts(answer))) await acceptedTwin(kit, delivery);
    }
    const difference = `${copies} copies ${others === 0 ? '' : `of each of ${all.length} notifications `}at the same time`;
    return expectEffects(kit, {
      attempts,
      claim: 'once',
      point: { requirement: 'IDM-3', difference, concurrent: true },
    });
  },
  hint:
    'Let a unique index decide: insert the id and the work in one transaction, and treat the conflict as a ' +
    'duplicate. If you look the id up first and insert it later, a second copy slips through the gap.',
});

/** Section 6.3: a delivery that failed is no delivery. */
const firstDeliveryFailed = receiverCheck<{ notification: Notification; failure: FirstFailure }>({
  id: 'receiver/idempotency/first-delivery-failed',
  title: 'lets a notification take effect when it is redelivered after its first delivery failed',
  requirements: ['IDM-5'],
  needs: ['probe'],
  schedule: { kind: 'alone', grouped: true },
  cases: (draw) =>
    firstFailures.map((failure) => fc.record({ failure: fc.constant(failure), notification: draw.notification() })),
  run: async (kit, { notification, failure }) => {
    const delivery = kit.compose(notification);
    await kit.deliver(failing(kit, delivery, failure));
    const again = redelivery(kit, delivery);
    const answer = await kit.deliverWithRetries(again);
    const point = { requirement: 'IDM-5', difference: `first ${failure}, then delivered in full` } as const;
    if (answer.kind !== 'answered') {
      const attempts = [...kit.attempts];
      const twin = await acceptedTwin(kit, kit.compose(notification));
      const expected = 'the redelivery is accepted, and takes effect';
      return finding({ ...point, twin }, { attempts, expected, actual: describeAnswer(answer), absence: true });
    }
    if (!kit.accepts(answer)) throw new Unproven(`the redelivery was not accepted: ${describeAnswer(answer)}`);
    const lost = await expectEffects(kit, { attempts: [attempt(again, answer)], claim: 'not lost', point });
    return lostRedelivery(kit, lost, notification);
  },
  hint: 'Mark an id as done in the transaction that does the work, not when the request arrives: what failed half-way must not count as a duplicate.',
});

/** Whose id comes first where a body has two: that of a notification that was accepted before, or its own. */
const orders = [
  'the id of another notification, then its own',
  'its own id, then that of another notification',
] as const;

type Order = (typeof orders)[number];

/** RFC 8259, section 4: parsers differ in what they make of a name that comes twice, and one may refuse it. */
const repeatedNames = receiverCheck<{ notification: Notification; order: Order; whole: boolean }>({
  id: 'receiver/idempotency/repeated-names',
  title: 'lets nothing take effect again because a member stands twice in a body',
  requirements: ['IDM-2', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['probe'],
  about: ['id-in-body'],
  weight: 0.1,
  cases: (draw) =>
    [true, false].map((whole) =>
      orders.map((order) =>
        fc.record({ order: fc.constant(order), whole: fc.constant(whole), notification: draw.notification() }),
      ),
    ),
  run: async (kit, { notification, order, whole }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = kit.compose(notification);
    const twice = kit.withBody(delivery, withBoth(kit, delivery, { other: twin.delivery, order, whole }));
    const difference = `the body has ${whole ? 'two members that hold an id' : 'two ids'}: ${order}`;
    const unanswered = await expectAnswered(kit, twice, difference, { hint: unansweredHint });
    if (unanswered) return unanswered;
    const attempts = kit.attempts.filter(({ delivery: { id } }) => id === twin.delivery.id || id === twice.id);
    const point = { requirement: 'IDM-2', difference: `accepted, then ${difference}` } as const;
    const repeated = await expectEffects(kit, { attempts: [twin], claim: 'still not repeated', point });
    return repeated && { ...repeated, attempts };
  },
  hint:
    'Two parts of the receiver read two ids of one body: one looks for the first, the other takes the last. Parse the body ' +
    'once, with one parser, and take the id that you deduplicate by and the one that you work with from the same value.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const idempotencyChecks: readonly ReceiverCheck[] = [
  redeliveryAccepted,
  takesEffectOnce,
  lateRedelivery,
  staysOnce,
  concurrentCopies,
  idAloneDecides,
  repeatedNames,
  passingFailure,
  slowBody,
  firstDeliveryFailed,
];

const firstFailures = [...cuts, 'a body that ends in the middle', 'a body that is empty'] as const;

type FirstFailure = Cut | 'a body that ends in the middle' | 'a body that is empty';

function failing(kit: ReceiverKit, delivery: Delivery, failure: FirstFailure): Delivery {
  if (failure === 'a body that ends in the middle' || failure === 'a body that is empty') {
    const spoiling = failure === 'a body that is empty' ? 'the body is empty' : 'the body ends in the middle';
    return kit.withBody(delivery, spoilt(delivery.body, spoiling, kit.contract.delivery.members.id));
  }
  return cutAt(delivery, failure);
}

function lastByteHeld(delivery: Delivery): Delivery {
  const { length } = delivery.body;
  return onWire(delivery, inTwo((length - 1) / length, { barrier: true }));
}

/** The body with a second id, or with a second member that holds one. */
function withBoth(
  { contract }: ReceiverKit,
  { body, id }: Delivery,
  { other, order, whole }: { readonly other: Delivery; readonly order: Order; readonly whole: boolean },
): Buffer {
  const pointer = placeOf(contract, 'id');
  const value = JSON.parse(body.toString());
  const tokens = fromPointer(pointer);
  const name = (whole ? tokens[0] : tokens.at(-1)) ?? '';
  const place = whole ? `/${name}` : pointer;
  const own = member(name, valueAt(value, place));
  const foreign = member(name, JSON.parse(JSON.stringify(valueAt(value, place)).replaceAll(id, other.id)));
  return Buffer.from(
    body.toString().replace(own, () => (order === orders[0] ? `${foreign},${own}` : `${own},${foreign}`)),
  );
}

function member(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
