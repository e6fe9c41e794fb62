import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { largeNat } from '../../../generators/schema/largeNat.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck } from '../../check.ts';
import { pairs } from '../../items.ts';
import { attempt, finding } from '../expectation.ts';

/** Section 4.4: the answer comes before the sender's time-out, also under load. */
export const answersInTime = receiverCheck<{ burst: number; notification: Notification }>({
  id: 'receiver/acceptance/answers-in-time',
  title: 'answers within the delivery time-out while deliveries arrive at the same time',
  requirements: ['RCV-4'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.2,
  cases: (draw) => [fc.record({ burst: largeNat(4 * draw.concurrency), notification: draw.notification() })],
  run: async (kit, { burst, notification }) => {
    const deliveries = Array.from({ length: burst + 1 }, () => kit.compose(notification));
    const answers = await kit.together(deliveries);
    const late = pairs(deliveries, answers).filter(([, answer]) => answer.kind === 'timed-out');
    const [first] = late;
    if (first === undefined) return undefined;
    return finding(
      [attempt(...first)],
      { requirement: 'RCV-4', concurrent: true },
      {
        expected:
          deliveries.length === 1
            ? `an answer within ${kit.timeout} ms`
            : `an answer within ${kit.timeout} ms to each of ${deliveries.length} deliveries at the same time`,
        actual:
          deliveries.length === 1
            ? describeAnswer(first[1])
            : `${late.length} of ${deliveries.length} deliveries had no answer`,
        absence: true,
      },
    );
  },
  hint: 'Store or queue the notification and answer at once; do the work afterwards, in the background.',
});
