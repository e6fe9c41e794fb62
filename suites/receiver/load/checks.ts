import fc, { type Arbitrary } from 'fast-check';

import { largeNat } from '../../../generators/schema/largeNat.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type Finding, type ReceiverCheck, Unobservable, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { type Point, finding } from '../../finding.ts';
import { acceptedTwin, attempt } from '../expectation.ts';
import { forge, plainForgery } from '../forgery.ts';
import { pairs, itemOf } from '../../items.ts';
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
  for (const { delivery } of refused.slice(0, redelivered))
    again.push(attempt(delivery, await kit.deliverWithRetries(delivery)));
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
    return expectEffects(
      kit,
      { attempts, claim: 'not lost', point },
      { attempts: again, claim: 'not lost', point: { ...redelivery, twin } },
    );
  },
  hint:
    'The queue between the answer and the work has a bound, and drops what does not fit (often the oldest, without a ' +
    'word). Keep what you have acknowledged in a store that does not, or refuse with 503 where the queue is full.',
});

const redelivery: Point = {
  requirement: 'IDM-5',
  difference: 'it was refused while many others waited, and accepted when it was delivered again',
  concurrent: true,
  hint:
    'Remember an id together with the notification, in one step. Where it is remembered first, and the queue then turns ' +
    'out to be full, the redelivery is taken for one that is known already, and the notification is lost.',
};

/** Notifications that are delivered before it, beside those of the run so far. */
const many = 100;

/** Deliveries that are timed, one after the other. The quickest counts: on a busy machine any may be late. */
const timed = 7;

/**
 * How many times as long an answer takes that has grown, and milliseconds that it takes at least; fewer where what is refused
 * unread is answered so many times sooner at the same moment, for then it is not the machine that is busy.
 */
const grown = { times: 10, least: 100, beside: 5, leastBeside: 25 } as const;

/**
 * Sections 4.4 and 6.3: what was received before costs later deliveries nothing, and is not taken for one of them. By then
 * so many ids are known that of a hundred others one or more share a hash of sixteen bits with one of those.
 */
const afterMany = receiverCheck<{ many: number }>({
  id: 'receiver/load/after-many',
  title: 'answers as quickly after many notifications as at the beginning, and takes none for another',
  requirements: ['RCV-4', 'IDM-4'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  // One case, at any intensity: the beginning of a run comes once.
  weight: 0,
  cases: () => [fc.record({ many: fc.constant(many) })],
  run: async (kit, { many: more }) => {
    const [first] = kit.beginning.attempts;
    if (first === undefined) throw new Unobservable('no notification of the beginning of the run took effect once');
    const twin = quickestOf(kit.beginning.attempts, first);
    const before = twin.answer.ms;
    const least = await leastGrown(kit, grown.times * before);
    const isSlow = ({ answer }: Attempt): boolean => answer.ms >= least;
    const early = await quickestNow(kit, isSlow);
    if (isSlow(early)) return slower(twin, early);
    const further = Array.from({ length: more }, () => kit.compose(kit.control));
    const answers = await Promise.all(further.map((delivery) => kit.deliver(delivery)));
    const quickest = await quickestNow(kit, isSlow);
    if (isSlow(quickest)) return slower(twin, quickest);
    return noneTakenForAnother(
      kit,
      pairs(further, answers).map((sent) => attempt(...sent)),
    );
  },
  hint:
    'Something grows with what was received: a list that is searched from its beginning, a file that is read and written ' +
    'whole, a query without an index. Look an id up by an index, and append. Sooner or later such an answer comes too late.',
});

async function noneTakenForAnother(kit: ReceiverKit, sent: readonly Attempt[]): Promise<Finding | undefined> {
  const attempts = sent.filter(({ answer }) => kit.accepts(answer));
  const difference = `its id, which is one of ${sent.length} at the end of the run`;
  const hint =
    'Compare whole ids, as they are. A short hash of an id, a filter that is right most of the time, or a table with too few ' +
    'places takes one notification in some hundred or thousand for another. So does a time that every new notification ' +
    'has to exceed: the clocks of senders differ.';
  const found = await expectEffects(kit, {
    attempts,
    claim: 'not lost',
    point: { requirement: 'IDM-4', difference, hint },
  });
  const lost = found?.effects?.[0]?.id;
  const dropped = attempts.find(({ delivery }) => delivery.id === lost);
  if (dropped !== undefined) await demandDroppedAgain(kit, dropped);
  return found;
}

/** What is taken for another is so as often as it comes. @throws Unproven where it takes effect when it is delivered again, alone */
async function demandDroppedAgain(kit: ReceiverKit, { delivery }: Attempt): Promise<void> {
  const answer = await kit.deliverWithRetries(delivery);
  const effects = await kit.effects(new Map([[delivery.id, 1]]));
  if (kit.accepts(answer) && (effects.get(delivery.id) ?? 0) > 0)
    throw new Unproven(
      'what was lost beside others took effect when it was delivered again, so that its id was not what mattered',
    );
}

/** The checks of this topic, in the order in which they run and are listed. */
export const loadChecks: readonly ReceiverCheck[] = [backlog, longQueue, afterMany, stillAtWork];

/** Milliseconds after which no more deliveries are timed, where all of some were slow. */
const longEnough = { ms: 4000, timed: 3 } as const;

/** Milliseconds that an answer takes at least which has grown. @param several - what is several times as long as at first */
async function leastGrown(kit: ReceiverKit, several: number): Promise<number> {
  if (several >= grown.least || kit.secrets.length === 0) return Math.max(grown.least, several);
  let quickest = Infinity;
  for (let sent = 0; sent < timed; sent++) {
    const forged = forge(kit, kit.compose(kit.control), plainForgery);
    const answer = await kit.deliver(forged);
    if (answer.kind !== 'answered' || kit.accepts(answer)) return grown.least;
    quickest = Math.min(quickest, answer.ms);
  }
  return Math.max(several, Math.min(grown.least, Math.max(grown.leastBeside, grown.beside * quickest)));
}

/** @throws Unproven where one is not accepted */
async function quickestNow(kit: ReceiverKit, isSlow: (attempt: Attempt) => boolean): Promise<Attempt> {
  const began = kit.elapsed();
  const attempts = [await acceptedTwin(kit, kit.compose(kit.control))];
  const isClear = (): boolean => attempts.length >= longEnough.timed && kit.elapsed() - began > longEnough.ms;
  while (attempts.every(isSlow) && attempts.length < timed && !isClear())
    attempts.push(await acceptedTwin(kit, kit.compose(kit.control)));
  return quickestOf(attempts, itemOf(attempts, 0));
}

function slower(twin: Attempt, quickest: Attempt): Finding {
  return finding(
    { requirement: 'RCV-4', twin, difference: 'at the end of the run' },
    {
      attempts: [quickest],
      expected: `an answer about as soon as at the beginning of the run: the quickest came after ${rounded(twin.answer.ms)} ms`,
      actual: `the quickest of some plain deliveries, sent one after the other, was answered after ${rounded(quickest.answer.ms)} ms`,
      absence: true,
    },
  );
}

function quickestOf(attempts: readonly Attempt[], first: Attempt): Attempt {
  return attempts.reduce((least, one) => (one.answer.ms < least.answer.ms ? one : least), first);
}

function rounded(ms: number): number {
  return Math.max(1, Math.round(ms));
}
