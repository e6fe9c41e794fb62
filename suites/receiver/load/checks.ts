import fc from 'fast-check';

import { largeNat } from '../../../generators/schema/largeNat.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, attempt, finding, type Point } from '../expectation.ts';
import { pairs } from '../../items.ts';
import { afterMany } from './afterMany.ts';

/** Deliveries of a backlog for each that the user lets the kit have in flight. */
const depth = 8;

/** Section 4.4: the answer says that a notification was taken, not that everything before it was worked off. */
const backlog = receiverCheck<{
  readonly ahead: number;
  readonly behind: number;
  readonly notification: Notification;
}>({
  id: 'receiver/load/backlog',
  title: 'answers in time while earlier notifications are still being processed, and loses none of them',
  requirements: ['RCV-4', 'RTY-1'],
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
    const sent = pairs(first, answers).map((sent) => attempt(...sent));
    for (let count = 0; count < behind; count++) {
      const delivery = kit.compose(notification);
      sent.push(attempt(delivery, await kit.deliver(delivery)));
    }
    const late = sent.find(({ answer }) => answer.kind === 'timed-out');
    if (!late) return expectNoneLost(kit, sent, twin);
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

/** The checks of this topic, in the order in which they run and are listed. */
export const loadChecks: readonly ReceiverCheck[] = [backlog, afterMany];

/** Each of those that it accepted takes effect, however many wait. */
function expectNoneLost(kit: ReceiverKit, sent: readonly Attempt[], twin: Attempt): Promise<Finding | undefined> {
  const attempts = sent.filter(({ answer }) => kit.accepts(answer));
  const point: Point = {
    requirement: 'RTY-1',
    twin,
    difference: `one of ${attempts.length} notifications that were accepted one right after the other`,
    concurrent: true,
    hint:
      'The queue between the answer and the work has a bound, and drops what does not fit (often the oldest, without a ' +
      'word). Keep what you have acknowledged in a store that does not, or refuse with 503 where the queue is full.',
  };
  return expectEffects(kit, { attempts, claim: 'not lost', point });
}
