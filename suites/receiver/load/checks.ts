import fc, { type Arbitrary } from 'fast-check';

import { largeNat } from '../../../generators/schema/largeNat.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type ReceiverCheck } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, attempt, finding, type Point } from '../expectation.ts';
import { pairs } from '../../items.ts';
import { afterMany } from './afterMany.ts';

/** Deliveries of a backlog for each that the user lets the kit have in flight. */
const depth = 8;

interface Backlog {
  readonly ahead: number;
  readonly behind: number;
  readonly notification: Notification;
}

function backlogs(draw: Draw): readonly Arbitrary<Backlog>[] {
  const ahead = largeNat(depth * draw.concurrency);
  return [fc.record({ ahead, behind: fc.integer({ min: 1, max: 5 }), notification: draw.notification() })];
}

/** Many at the same time, then a few one after the other. */
async function sendBacklog(kit: ReceiverKit, { ahead, behind, notification }: Backlog): Promise<readonly Attempt[]> {
  const first = Array.from({ length: ahead }, () => kit.compose(notification));
  const answers = await Promise.all(first.map((delivery) => kit.deliver(delivery)));
  const sent = pairs(first, answers).map((sent) => attempt(...sent));
  for (let count = 0; count < behind; count++) {
    const delivery = kit.compose(notification);
    sent.push(attempt(delivery, await kit.deliver(delivery)));
  }
  return sent;
}

/** Section 4.4: the answer says that a notification was taken, not that everything before it was worked off. */
const backlog = receiverCheck<Backlog>({
  id: 'receiver/load/backlog',
  title: 'answers within the delivery time-out while earlier notifications are still being processed',
  requirements: ['RCV-4'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.15,
  cases: backlogs,
  run: async (kit, value) => {
    const twin = await acceptedTwin(kit, kit.compose(value.notification));
    const sent = await sendBacklog(kit, value);
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

/** Section 6.2: each of those that it accepted takes effect, however many wait. */
const longQueue = receiverCheck<Backlog>({
  id: 'receiver/load/long-queue',
  title: 'loses none of the notifications that it accepted while many others waited',
  requirements: ['RTY-1'],
  needs: ['probe'],
  schedule: { kind: 'alone' },
  weight: 0.1,
  cases: backlogs,
  run: async (kit, value) => {
    const twin = await acceptedTwin(kit, kit.compose(value.notification));
    const sent = await sendBacklog(kit, value);
    const attempts = sent.filter(({ answer }) => kit.accepts(answer));
    const difference = `one of ${attempts.length} notifications that were accepted one right after the other`;
    const point: Point = { requirement: 'RTY-1', twin, difference, concurrent: true };
    return expectEffects(kit, { attempts, claim: 'not lost', point });
  },
  hint:
    'The queue between the answer and the work has a bound, and drops what does not fit (often the oldest, without a ' +
    'word). Keep what you have acknowledged in a store that does not, or refuse with 503 where the queue is full.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const loadChecks: readonly ReceiverCheck[] = [backlog, longQueue, afterMany];
