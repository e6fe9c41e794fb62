import fc from 'fast-check';

import { largeNat } from '../../../generators/schema/largeNat.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck } from '../../check.ts';
import { acceptedTwin, attempt, finding } from '../expectation.ts';

/** Deliveries of a backlog for each that the user lets the kit have in flight. */
const depth = 8;

/** Section 4.4: the answer says that a notification was taken, not that everything before it was worked off. */
export const backlog = receiverCheck<{
  readonly ahead: number;
  readonly behind: number;
  readonly notification: Notification;
}>({
  id: 'receiver/load/backlog',
  title: 'answers within the delivery time-out while earlier notifications are still being processed',
  requirements: ['RCV-4'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.15,
  cases: (draw) => [
    fc.record({
      ahead: largeNat(depth * draw.concurrency),
      behind: fc.integer({ min: 1, max: 5 }),
      notification: draw.notification(),
    }),
  ],
  run: async (kit, { ahead, behind, notification }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const first = Array.from({ length: ahead }, () => kit.compose(notification));
    const answers = await Promise.all(first.map((delivery) => kit.deliver(delivery)));
    const sent = first.map((delivery, place) => attempt(delivery, answers[place]!));
    for (let count = 0; count < behind; count++) {
      const delivery = kit.compose(notification);
      sent.push(attempt(delivery, await kit.deliver(delivery)));
    }
    const late = sent.find(({ answer }) => answer.kind === 'timed-out');
    if (!late) return undefined;
    return finding(
      [late],
      {
        requirement: 'RCV-4',
        twin,
        difference: `${sent.indexOf(late)} notifications were accepted, or on their way, before it`,
        concurrent: true,
      },
      {
        expected: `an answer within ${kit.timeout} ms, however many notifications are still being processed`,
        actual: describeAnswer(late.answer),
        absence: true,
      },
    );
  },
  hint:
    'Work on notifications outside of the process or thread that answers, and let no lock of the work keep an answer ' +
    'waiting. Where there is too much to take, refuse with 503 at once.',
});
