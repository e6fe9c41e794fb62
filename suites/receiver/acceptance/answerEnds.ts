import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer, surplusOf } from '../../answer.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedTwin, attempt } from '../expectation.ts';
import { overOwnConnection } from '../onWire.ts';
import { forge, plainForgery } from '../forgery.ts';

/** Deliveries that receivers answer in different places of their code. */
const kinds = ['a delivery', 'a redelivery', 'a forged delivery', 'a body that is no JSON'] as const;
type Kind = (typeof kinds)[number];

/** RFC 9112, section 6.3: where an answer ends is known to both sides, and what comes behind it belongs to the next one. */
export const answerEnds = receiverCheck<{ notification: Notification; kind: Kind }>({
  id: 'receiver/acceptance/answer-ends',
  title: 'sends nothing behind the end of its answers',
  requirements: ['ROB-1'],
  needs: [],
  weight: 0.1,
  cases: (draw) =>
    kinds
      .filter((kind) => kind !== 'a forged delivery' || draw.secrets.length > 0)
      .map((kind) => fc.record({ kind: fc.constant(kind), notification: draw.notification() })),
  run: async (kit, { notification, kind }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = overOwnConnection(deliveryOf(kit, kind, notification, twin.delivery));
    const answer = await kit.deliver({ ...delivery, wire: { ...delivery.wire, readsOn: true } });
    if (answer.kind !== 'answered') throw new Unproven(`no answer was seen: ${describeAnswer(answer)}`);
    const surplus = surplusOf(answer);
    if (surplus === undefined) return undefined;
    return finding(
      { requirement: 'ROB-1', difference: `the answer to ${kind}` },
      {
        attempts: [attempt(delivery, answer)],
        expected: 'nothing behind the end of the answer: a sender takes that for the beginning of the next one',
        actual: `${describeAnswer(answer)}, and ${surplus}`,
        absence: false,
      },
    );
  },
  hint:
    'A 204 has no body, and a body ends where its Content-Length says: count bytes, not characters. Answer once for each ' +
    'request, and return afterwards. What is left over breaks the next delivery over the same connection.',
});

function deliveryOf(kit: ReceiverKit, kind: Kind, notification: Notification, accepted: Delivery): Delivery {
  switch (kind) {
    case 'a delivery':
      return kit.compose(notification);
    case 'a redelivery':
      return kit.withBody(accepted, accepted.body);
    case 'a forged delivery':
      return forge(kit, kit.compose(notification), plainForgery);
    case 'a body that is no JSON':
      return kit.withBody(kit.compose(notification), Buffer.from('{'));
  }
}
