import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { pairs } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, acceptedTwin, attempt } from '../expectation.ts';

/** Deliveries over one connection, and milliseconds that they may take: a slow receiver gets fewer. */
const most = { deliveries: 60, ms: 3000 } as const;

/** What says that there is too much to do, and passes (RFC 6585, 9110). */
const overload: readonly number[] = [429, 503];

/** Section 4.4: a connection that is kept serves its last request as its first. */
export const oneConnection = receiverCheck<{ notification: Notification }>({
  id: 'receiver/acceptance/one-connection',
  title: 'accepts one notification after the other over the same connection',
  requirements: ['RCV-1'],
  needs: [],
  // One case: it takes many deliveries.
  weight: 0,
  cases: (draw) => [fc.record({ notification: draw.notification() })],
  run: async (kit, { notification }) => {
    if (kit.takesForged) throw new Unproven('right signatures are refused (VRF-1), so none is accepted as it should');
    const { answer: first } = await acceptedTwin(kit, kit.compose(notification));
    const count = Math.max(2, Math.min(most.deliveries, Math.floor(most.ms / first.ms)));
    const deliveries = Array.from({ length: count }, () => kit.compose(notification));
    const sent = pairs(deliveries, await kit.inTurn(deliveries)).map((pair) => attempt(...pair));
    const refused = sent.find((each) => isRefused(kit, each));
    if (refused === undefined) return undefined;
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const difference = `delivery ${sent.indexOf(refused) + 1} over one connection`;
    return finding(
      { requirement: 'RCV-1', twin, difference, concurrent: true },
      {
        attempts: [refused],
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

function isRefused(kit: ReceiverKit, { answer }: Attempt): boolean {
  if (answer.kind === 'timed-out') return true;
  return answer.kind === 'answered' && !kit.accepts(answer) && !overload.includes(answer.status);
}
