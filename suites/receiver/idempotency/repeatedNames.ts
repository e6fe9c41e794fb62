import fc from 'fast-check';

import { fromPointer, valueAt } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { placeOf } from '../../../spec/delivery.ts';
import { receiverCheck } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin } from '../expectation.ts';
import { expectAnswered } from '../robustness/hostile.ts';

/** Whose id comes first where a body has two: that of a notification that was accepted before, or its own. */
const orders = [
  'the id of another notification, then its own',
  'its own id, then that of another notification',
] as const;
type Order = (typeof orders)[number];

/** RFC 8259, section 4: parsers differ in what they make of a name that comes twice, and one may refuse it. */
export const repeatedNames = receiverCheck<{ notification: Notification; order: Order; whole: boolean }>({
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
    const unanswered = await expectAnswered(kit, twice, difference);
    const point = { requirement: 'IDM-2', difference: `accepted, then ${difference}` } as const;
    return unanswered ?? expectEffects(kit, { attempts: [twin], claim: 'not repeated', point });
  },
  hint:
    'Two parts of the receiver read two ids of one body: one looks for the first, the other takes the last. Parse the body ' +
    'once, with one parser, and take the id that you deduplicate by and the one that you work with from the same value.',
});

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
