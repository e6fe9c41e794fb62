import fc from 'fast-check';

import { receiverCheck, type Finding, Unobservable, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, idsOf, mixedUpHint, oneOfEach } from '../counting.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, attemptsOf, deliveredWithRetries } from '../expectation.ts';
import { forge, plainForgery } from '../forgery.ts';
import { longQueueHint, isEven, type Lost, lostSoFar, neverDone, seldomLost, stayedUndone } from './lostForGood.ts';

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
export const afterMany = receiverCheck<{ many: number }>({
  id: 'receiver/load/after-many',
  title: 'answers as quickly after many notifications as at the beginning, and takes none for another',
  requirements: ['RCV-4', 'IDM-4', 'RTY-1'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  // One case, at any intensity: the beginning of a run comes once.
  weight: 0,
  cases: () => [fc.record({ many: fc.constant(many) })],
  run: async (kit, { many: more }) => {
    // Some events take longer than others.
    const alike = kit.beginning.attempts.filter(({ delivery }) => delivery.event === kit.control.event);
    const [first] = alike;
    if (first === undefined) throw new Unobservable('no notification of the beginning of the run took effect once');
    const lost = await lostSoFar(kit);
    const gone = lost && stayedUndone(lost);
    if (gone !== undefined) return gone;
    const failed = await lostByItsFailure(kit);
    if (failed !== undefined) return failed;
    const twin = quickestOf(alike, first);
    const before = twin.answer.ms;
    const least = await leastGrown(kit, grown.times * before);
    const isSlow = ({ answer }: Attempt): boolean => answer.ms >= least;
    const early = await quickestNow(kit, isSlow);
    if (isSlow(early)) return slower(twin, early);
    const further = Array.from({ length: more }, () => kit.compose(kit.control));
    const answers = await Promise.all(further.map((delivery) => kit.deliver(delivery)));
    const quickest = await quickestNow(kit, isSlow);
    if (isSlow(quickest)) return slower(twin, quickest);
    return (await noneTakenForAnother(kit, attemptsOf(further, answers), lost)) ?? (lost && neverDone(kit, lost));
  },
  hint:
    'Something grows with what was received: a list that is searched from its beginning, a file that is read and written ' +
    'whole, a query without an index. Look an id up by an index, and append. Sooner or later such an answer comes too late.',
});

async function noneTakenForAnother(
  kit: ReceiverKit,
  sent: readonly Attempt[],
  before: Lost | undefined,
): Promise<Finding | undefined> {
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
  if (found === undefined || dropped === undefined) return found;
  if (!(await isDroppedAgain(kit, dropped)) || !(await isAnyLostInTurn(kit, attempts)))
    return lostAmongMany(kit, found, attempts);
  const lostOnes = attempts.length - (await effective(kit, attempts));
  // It recurred here, with a fresh id that nothing came beside.
  const certain = { ...found, absence: false };
  const wasSo =
    before === undefined
      ? wasAlwaysSo(kit, lostOnes, attempts.length)
      : isEven(before, { lost: lostOnes, of: attempts.length });
  return wasSo ? lostAtAnyTime(certain, lostOnes, attempts.length) : certain;
}

/** The part of what the run delivered that counts as its beginning, and the part of the losses at its end that may be seen there. */
const beginning = { part: 1 / 4, losses: 1 / 2 } as const;

/** Whether about as many were lost when few ids were known: what is taken for another is so more often, the more there are. */
function wasAlwaysSo(kit: ReceiverKit, lost: number, many: number): boolean {
  const judged = [...kit.settledEffects.values()].filter(({ expected }) => expected > 0);
  const first = judged.slice(0, Math.ceil(judged.length * beginning.part));
  const lostFirst = first.filter(({ count }) => count === 0).length;
  return lostFirst > 0 && lostFirst / first.length >= (beginning.losses * lost) / many;
}

async function effective(kit: ReceiverKit, attempts: readonly Attempt[]): Promise<number> {
  const effects = await kit.effectsSoFar(idsOf(attempts));
  return attempts.filter((sent) => countOf(effects, sent) > 0).length;
}

/** So many of them would be lost by their ids alone. */
const sure = 5;

/** Notifications at most that are delivered one after the other, and milliseconds that they take at most. */
const mostInTurn = { count: 300, ms: 20_000 } as const;

/** Whether some are lost by their ids alone: each is delivered once the one before has taken effect, so that none has to wait. */
async function isAnyLostInTurn(kit: ReceiverKit, attempts: readonly Attempt[]): Promise<boolean> {
  const lost = attempts.length - (await effective(kit, attempts));
  const count = Math.min(mostInTurn.count, Math.ceil((sure * attempts.length) / Math.max(1, lost)));
  const began = kit.elapsed();
  for (let sent = 0; sent < count && kit.elapsed() - began < mostInTurn.ms; sent++) {
    const one = await acceptedTwin(kit, kit.compose(kit.control));
    if (countOf(await effectsAlone(kit, [one]), one) === 0) return true;
  }
  return false;
}

async function lostAmongMany(kit: ReceiverKit, found: Finding, attempts: readonly Attempt[]): Promise<Finding> {
  return {
    ...found,
    requirements: ['RTY-1'],
    difference: `one of ${attempts.length} notifications that were accepted at the same moment`,
    concurrent: true,
    hint: longQueueHint,
    ...mixedUpHint(await kit.effectsSoFar(idsOf(attempts)), attempts),
  };
}

/** The part of them that is lost from which on it is no rare event. */
const most = 1 / 2;

function lostAtAnyTime(found: Finding, lost: number, many: number): Finding {
  const usually =
    'Most of them are lost. Look whether they are taken for what came before: compare whole ids, as text, for a column or a ' +
    'conversion that makes numbers of them reads their first digits only. Else something that works on them has ended, or drops ' +
    'what fails.';
  return {
    ...found,
    requirements: ['RTY-1'],
    difference: `one of ${many} notifications that were accepted, ${lost} of which took no effect; about as many were lost at the beginning of the run`,
    concurrent: true,
    hint: lost < most * many ? seldomLost : usually,
  };
}

/**
 * What is taken for another is so as often as it comes; what there was no room for is not.
 *
 * @throws Unproven where it took effect meanwhile: what was delivered after it had by then
 */
async function isDroppedAgain(kit: ReceiverKit, dropped: Attempt): Promise<boolean> {
  if (countOf(await kit.effectsSoFar(idsOf([dropped])), dropped) > 0)
    throw new Unproven('what was missing took effect after what was delivered later');
  const answer = await kit.deliverWithRetries(dropped.delivery);
  return !kit.accepts(answer) || countOf(await kit.effects(oneOfEach(dropped)), dropped) === 0;
}

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

/** So many at least take no effect, and so many at most are delivered again. */
const few = { least: 2, most: 8 } as const;

const markedTooEarly =
  'The id was stored as known before the work was done, and stayed so when the work failed: a lock in the database that was awaited ' +
  'in vain, an exception that nobody catches. Store the id and its effect in one transaction, or take the id back where the work fails.';

/**
 * Section 4.4: what the receiver failed at by itself in this run (no answer, or a 5xx) takes effect when it is delivered again. A new
 * one of the same content has to do so beside it.
 */
async function lostByItsFailure(kit: ReceiverKit): Promise<Finding | undefined> {
  const failed = [...kit.beginning.failed.values()].filter(({ delivery }) => kit.isEffective(delivery.event));
  const soFar = await kit.effectsSoFar(idsOf(failed));
  const lost: (readonly [Attempt, Attempt])[] = [];
  for (const sent of failed.filter((one) => countOf(soFar, one) === 0).slice(0, few.most)) {
    const again = await deliveredWithRetries(kit, sent.delivery);
    if (!kit.accepts(again.answer)) continue;
    const twin = await acceptedTwin(kit, kit.again(sent.delivery));
    const effects = await effectsAlone(kit, [twin, again]);
    if (countOf(effects, twin) === 1 && countOf(effects, again) === 0) lost.push([sent, again]);
  }
  if (lost.length < few.least) return undefined;
  const [first, again] = itemOf(lost, 0);
  const { id } = first.delivery;
  return finding(
    {
      requirement: 'RTY-1',
      difference: `one of ${failed.length} valid deliveries of this run that got no answer or a 5xx at first, and was delivered again at its end`,
      concurrent: true,
      hint: markedTooEarly,
    },
    {
      attempts: [first, again],
      expected: 'an effect of what is accepted when it is delivered again',
      actual: 'it was accepted, and took no effect; a new one of the same content did',
      effects: [{ id, expected: 1, actual: 0 }],
      absence: false,
    },
  );
}
