import fc, { type Arbitrary } from 'fast-check';

import { largeNat } from '../../../generators/arbitraries.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { type Finding, receiverCheck, type ReceiverCheck } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { expectEffects } from '../effect.ts';
import { type Point, finding } from '../../finding.ts';
import { acceptedTwin, attemptsOf, delivered, deliveredWithRetries } from '../expectation.ts';
import { afterAPause } from './afterAPause.ts';
import { afterMany } from './afterMany.ts';
import { longQueueHint } from './lostForGood.ts';
import { pastOtherTypes } from './pastOtherTypes.ts';
import { stillAtWork } from './stillAtWork.ts';

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
  const sent = [...attemptsOf(first, answers)];
  for (let count = 0; count < behind; count++) {
    const delivery = kit.compose(notification);
    sent.push(await delivered(kit, delivery));
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
      {
        requirement: 'RCV-4',
        twin,
        difference: `${sent.indexOf(late)} notifications were accepted, or on their way, before it`,
        concurrent: true,
      },
      {
        attempts: [late],
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

/** Notifications that were refused while many others waited, and are delivered again afterwards. */
const redelivered = 12;

/** What was refused because of the load, delivered again as the service would: those of them that are accepted then. */
async function redeliverRefused(kit: ReceiverKit, sent: readonly Attempt[]): Promise<readonly Attempt[]> {
  const refused = sent.filter(({ answer }) => answer.kind === 'answered' && !kit.accepts(answer));
  const again: Attempt[] = [];
  for (const { delivery } of refused.slice(0, redelivered)) again.push(await deliveredWithRetries(kit, delivery));
  return again.filter(({ answer }) => kit.accepts(answer));
}

/** Section 6.2: each of those that it accepted takes effect, however many wait; at once, or when it is delivered again. */
const longQueue = receiverCheck<Backlog>({
  id: 'receiver/load/long-queue',
  title: 'loses none of the notifications that it accepted while many others waited',
  requirements: ['RTY-1', 'IDM-5'],
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
    const again = await redeliverRefused(kit, sent);
    const found = await expectEffects(
      kit,
      { attempts, claim: 'not lost', point },
      { attempts: again, claim: 'not lost', point: { ...redelivery, twin } },
    );
    return found && found.hint === undefined && (await isTakenForKnown(kit, found))
      ? { ...found, hint: takenForKnown }
      : found;
  },
  hint: longQueueHint,
});

/** Whether what was lost takes no effect either when nothing else is under way. */
async function isTakenForKnown(kit: ReceiverKit, { attempts }: Finding): Promise<boolean> {
  const lost = attempts.at(-1)?.delivery;
  if (lost === undefined || !kit.accepts(await kit.deliverWithRetries(lost))) return false;
  const again = { delivery: lost };
  return countOf(await kit.effects(oneOfEach(again)), again) === 0;
}

const takenForKnown =
  'It took no effect either when it was delivered again, alone: its id is taken for a known one. It was remembered first, and ' +
  'then dropped (by a queue with a bound, a database that is locked, an error that was passed over), or ids are compared by a part ' +
  'or a short hash of them, and another one has the same. Remember an id together with its work, in one step, and compare all of it.';

const redelivery: Point = {
  requirement: 'IDM-5',
  difference: 'it was refused while many others waited, and accepted when it was delivered again',
  concurrent: true,
  hint:
    'Remember an id together with the notification, in one step. Where it is remembered first, and the queue then turns ' +
    'out to be full, the redelivery is taken for one that is known already, and the notification is lost.',
};

/** The checks of this topic, in the order in which they run and are listed. */
export const loadChecks: readonly ReceiverCheck[] = [
  backlog,
  longQueue,
  afterMany,
  afterAPause,
  stillAtWork,
  pastOtherTypes,
];
