import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer, isOverloaded } from '../../answer.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import { finding } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, acceptedTwin, attemptsOf } from '../expectation.ts';
import { forge, plainForgery } from '../forgery.ts';

/** What comes before the last delivery of a connection: many that are accepted, or one that is refused. */
const befores = ['others', 'a forged delivery', 'a body that is no JSON'] as const;
type Before = (typeof befores)[number];

/** Deliveries over one connection, and milliseconds that they may take: a slow receiver gets fewer. */
const most = { deliveries: 60, ms: 1000 } as const;

/** Section 4.4: a connection that is kept serves its last request as its first. Behind a proxy, strangers may share it. */
export const oneConnection = receiverCheck<{ notification: Notification; before: Before }>({
  id: 'receiver/acceptance/one-connection',
  title: 'accepts one notification after the other over the same connection',
  requirements: ['RCV-1', 'ROB-1'],
  needs: [],
  // One case of each: the first takes many deliveries.
  weight: 0,
  cases: (draw) =>
    possible(draw).map((before) => fc.record({ before: fc.constant(before), notification: draw.notification() })),
  run: async (kit, { notification, before }) => {
    if (kit.takesForged) throw new Unproven('right signatures are refused (VRF-1), so none is accepted as it should');
    const { answer: first } = await acceptedTwin(kit, kit.compose(notification));
    const deliveries = inOrder(kit, notification, before, first.ms);
    const sent = attemptsOf(deliveries, await kit.inTurn(deliveries));
    const genuine = before === 'others' ? sent : sent.slice(1);
    const refused = genuine.find((each) => isRefused(kit, each));
    if (refused === undefined) return undefined;
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const place = sent.indexOf(refused);
    const difference =
      before === 'others' ? `delivery ${place + 1} over one connection` : `on the connection of ${before} before it`;
    return finding(
      { requirement: before === 'others' ? 'RCV-1' : 'ROB-1', twin, difference, concurrent: true },
      {
        attempts: [...sent.slice(Math.max(0, place - 1), place), refused],
        expected: `the delivery is accepted: status ${acceptedStatuses(kit)}`,
        actual: describeAnswer(refused.answer),
        absence: true,
      },
    );
  },
  hint:
    'Something is counted or kept for each connection: a limit of requests, a state of the one before, a body that was not read ' +
    'to its end. Keep nothing of a request once it is answered. To end a connection, close it after an answer.',
});

function possible({ secrets }: Draw): readonly Before[] {
  return secrets.length > 0 ? befores : befores.filter((before) => before !== 'a forged delivery');
}

function inOrder(kit: ReceiverKit, notification: Notification, before: Before, ms: number): readonly Delivery[] {
  const plain = kit.compose(notification);
  switch (before) {
    case 'others': {
      const count = Math.max(2, Math.min(most.deliveries, Math.floor(most.ms / ms)));
      return [plain, ...Array.from({ length: count - 1 }, () => kit.compose(notification))];
    }
    case 'a forged delivery':
      return [forge(kit, kit.compose(notification), plainForgery), plain];
    case 'a body that is no JSON':
      return [kit.withBody(kit.compose(notification), Buffer.from('{')), plain];
  }
}

function isRefused(kit: ReceiverKit, { answer }: Attempt): boolean {
  if (answer.kind === 'timed-out') return true;
  return answer.kind === 'answered' && !kit.accepts(answer) && !isOverloaded(answer);
}
