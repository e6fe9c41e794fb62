import fc, { type Arbitrary } from 'fast-check';

import { type Finding, receiverCheck, Unobservable, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding, type Point } from '../../finding.ts';
import { itemOf, pairs } from '../../items.ts';
import type { Effects, ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, effectsInWords, idsOf, oneOfEach } from '../counting.ts';
import { acceptedTwin, acceptedStatuses, deliveredWithRetries } from '../expectation.ts';
import { describeAnswer } from '../../answer.ts';
import { effectFinding } from '../effect.ts';

/** Ids that are asked for at once, and milliseconds after which no more are: a probe may be asked for each by itself. */
const look = { ids: 200, ms: 1000 } as const;

/** Notifications by which it is shown once more, milliseconds that they are watched at most, and between two looks. */
const shown = { count: 3, ms: 8000, pause: 200 } as const;

/** What does the work of a notification once more that nobody delivers again. */
export const workedOnAgain =
  'A job, a timer or a lease works once more on what is done, or a row is taken for one that is still open. Mark a notification ' +
  'as done in the transaction that does its work, and let nothing take it up again after that.';

/** Section 6.3: an effect is there once and for all. A run is over soon, but its end is as late as it can be. */
export const staysOnce = receiverCheck<EndOfRun>({
  id: 'receiver/idempotency/stays-once',
  title: 'lets no effect come once more, and none go, of what nobody delivers again',
  requirements: ['IDM-2', 'RTY-1'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  weight: 0,
  cases: endOfRun,
  run: async (kit, end) => {
    await untilEnd(kit, end);
    const before = seenBefore(kit);
    if (before.size === 0) throw new Unobservable('no effect was seen that could come once more, or go');
    const changed = await changedSince(kit, before);
    return changed && changeFinding(kit, changed, await shownAgain(kit, changed));
  },
  hint: workedOnAgain,
});

const undone =
  'What was done is undone later, with no error that the sender could see: a transaction that is never committed, a table that is ' +
  'rebuilt, a clean-up of what looks unfinished.';

/** An id whose effects are not those that were seen before. */
interface Changed {
  readonly id: string;
  readonly before: number;
  readonly now: number;
}

/** The effects that were seen. */
function seenBefore(kit: ReceiverKit): Effects {
  const { attempts } = kit.beginning;
  const first = attempts.filter(({ delivery: { event } }) => kit.isEffective(event));
  const settled = [...kit.settledEffects].map(([id, { count }]) => [id, count] as const);
  const all = new Map([...oneOfEach(...first), ...settled]);
  return new Map([...all].filter(([, count]) => count > 0));
}

async function changedSince(kit: ReceiverKit, before: Effects): Promise<Changed | undefined> {
  const began = kit.elapsed();
  const ids = [...before.keys()];
  const now = new Map<string, number>();
  for (let to = ids.length; to > 0 && kit.elapsed() - began < look.ms; to -= look.ids) {
    const some = ids.slice(Math.max(0, to - look.ids), to);
    for (const [id, count] of await kit.effectsSoFar(some)) now.set(id, count);
  }
  const seen = ids.filter((id) => now.has(id));
  const changed = changeOf(before, now, seen, kit.beginning.redelivered());
  if (changed === undefined && seen.some((id) => (now.get(id) ?? 0) === 0))
    throw new Unobservable(`${await countedNoMore(kit)}: let the probe count since the beginning of the run`);
  return changed;
}

/** What is seen of effects that are gone: how long one of a new notification is there. */
async function countedNoMore(kit: ReceiverKit): Promise<string> {
  const sent = await acceptedTwin(kit, kit.compose(kit.control));
  const isThere = async (): Promise<boolean> => countOf(await kit.effectsSoFar(idsOf([sent])), sent) > 0;
  await kit.untilEffect(idsOf([sent]));
  if (!(await isThere())) return 'what took effect first is counted no more';
  for (const began = kit.elapsed(); kit.elapsed() < began + shown.ms; await kit.pause(shown.pause))
    if (!(await isThere()))
      return `every effect is gone again, one of a new notification after ${((kit.elapsed() - began) / 1000).toFixed(1)} s: what is done is undone, or the probe forgets it. If it forgets`;
  return 'what took effect first is counted no more';
}

/**
 * One that came once more, or one that is gone while an older one is still there: a probe may forget what is long ago.
 *
 * @param redelivered - ids that another check delivers again: that one looks for what comes of it
 */
function changeOf(
  before: Effects,
  now: Effects,
  ids: readonly string[],
  redelivered: ReadonlySet<string> = new Set(),
): Changed | undefined {
  const all = ids.map((id) => ({ id, before: before.get(id) ?? 0, now: now.get(id) ?? 0 }));
  const oldest = all.findIndex((one) => one.now >= one.before);
  return (
    all.find((one) => one.now > one.before && !redelivered.has(one.id)) ??
    all.find((one, at) => at > oldest && oldest >= 0 && one.now < one.before)
  );
}

/** The same of a delivery that can be shown; nothing where it does not come again. */
async function shownAgain(kit: ReceiverKit, changed: Changed): Promise<[Attempt, Changed] | undefined> {
  const known = kit.beginning.attempts.find(({ delivery }) => delivery.id === changed.id);
  if (known !== undefined) return [known, changed];
  const sent: Attempt[] = [];
  while (sent.length < shown.count) sent.push(await acceptedTwin(kit, kit.compose(kit.control)));
  const ids = idsOf(sent);
  const before = await effectsAlone(kit, sent);
  for (const end = kit.elapsed() + shown.ms; kit.elapsed() < end; await kit.pause(shown.pause)) {
    const again = changeOf(before, await kit.effectsSoFar(ids), ids);
    const attempt = sent.find(({ delivery }) => delivery.id === again?.id);
    if (again && attempt) return [attempt, again];
  }
  return undefined;
}

function changeFinding(kit: ReceiverKit, first: Changed, again: [Attempt, Changed] | undefined): Finding {
  const [attempt, { id, before, now }] = again ?? [itemOf(kit.beginning.attempts, 0), first];
  const isGone = now < before;
  const point: Point = {
    requirement: isGone ? 'RTY-1' : 'IDM-2',
    difference: 'looked at once more at the end of the run; nobody had delivered it again',
    concurrent: true,
    ...(isGone && { hint: undone }),
  };
  return finding(point, {
    attempts: [attempt],
    expected: isGone ? 'the effect that was there before is still there' : 'exactly one effect, as before',
    actual: `${effectsInWords(now)}${again ? '' : ` of ${id}`}, after ${before} before`,
    absence: isGone,
    effects: [{ id, expected: 1, actual: now }],
  });
}

/** Section 6.3: a redelivery may come hours later. A run is not that long, but its end is as late as it can be. */
export const lateRedelivery = receiverCheck<EndOfRun>({
  id: 'receiver/idempotency/late-redelivery',
  title:
    'accepts what was delivered first of all when it is redelivered at the end of the run, and lets it take no effect again',
  requirements: ['IDM-2', 'IDM-1'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  weight: 0,
  cases: endOfRun,
  run: async (kit, end) => {
    await untilEnd(kit, end);
    const first = await onceEffective(kit);
    const seconds = Math.floor((kit.elapsed() - kit.beginning.at) / 100) / 10;
    const again = await redelivered(kit, first);
    const repeated = await tookEffectAgain(kit, first, again);
    const since = kit.beginning.interrupted() ? ', and after the receiver was stopped or paused' : '';
    const gapInWords = `redelivered ${seconds} s after the first delivery${since}`;
    if (repeated) return { ...repeated, difference: gapInWords };
    const refused = await refusedThough(kit, first, again, gapInWords);
    if (refused) return refused;
    kit.observe(
      'IDM-2',
      'ids are remembered until the end of the run',
      `${gapInWords}: ${first.length} ids, no second effect`,
    );
    return undefined;
  },
  hint:
    'Keep the ids of what you have accepted without an end date. An expiry (a cache, a key with a time to live), a list of ' +
    'the latest ids, or a memory that ends with the process forgets them while the service may still deliver again. What one ' +
    'of several processes keeps in its memory, the others never knew.',
});

/** What was delivered at the beginning and shows one effect now: a second one is the redelivery's. */
async function onceEffective(kit: ReceiverKit): Promise<readonly Attempt[]> {
  const { attempts } = kit.beginning;
  const effects = await kit.effectsSoFar(idsOf(attempts));
  const once = attempts.filter((sent) => countOf(effects, sent) === 1);
  if (once.length === 0)
    throw new Unobservable('no notification of the beginning of the run shows exactly one effect at its end');
  return once;
}

/** So many are redelivered before the others, which would wait in vain as well where none of these is answered. */
const ahead = 3;

/** The same bodies, signed as of now. */
async function redelivered(kit: ReceiverKit, first: readonly Attempt[]): Promise<readonly Attempt[]> {
  const all = (some: readonly Attempt[]): Promise<readonly Attempt[]> =>
    Promise.all(some.map(({ delivery }) => deliveredWithRetries(kit, kit.withBody(delivery, delivery.body))));
  const again = await all(first.slice(0, ahead));
  if (again.every(({ answer }) => answer.kind !== 'answered'))
    throw new Unproven(`no redelivery was answered: ${describeAnswer(itemOf(again, 0).answer)}`);
  return [...again, ...(await all(first.slice(ahead)))];
}

/** One of those redeliveries is refused, where a new notification is accepted. */
async function refusedThough(
  kit: ReceiverKit,
  first: readonly Attempt[],
  again: readonly Attempt[],
  difference: string,
): Promise<Finding | undefined> {
  const refused = pairs(first, again).find(([, { answer }]) => answer.kind === 'answered' && !kit.accepts(answer));
  if (refused === undefined) return undefined;
  const [{ delivery }] = refused;
  await acceptedTwin(kit, kit.again(delivery));
  // What is refused beside others, and accepted alone, is not refused for being known.
  const alone = await deliveredWithRetries(kit, delivery);
  if (alone.answer.kind !== 'answered' || kit.accepts(alone.answer)) return undefined;
  const hint =
    'What is known already is no error, however long ago it came: answer with an accepting status, or the service goes on ' +
    'retrying. Often the row of an old id was archived or locked, and nobody expects it again.';
  return finding(
    { requirement: 'IDM-1', difference, hint, concurrent: true },
    {
      attempts: [refused[0], alone],
      expected: `the redelivery is accepted: status ${acceptedStatuses(kit)}`,
      actual: describeAnswer(alone.answer),
      absence: true,
    },
  );
}

async function tookEffectAgain(
  kit: ReceiverKit,
  first: readonly Attempt[],
  again: readonly Attempt[],
): Promise<Finding | undefined> {
  const effects = await kit.effects(oneOfEach(...first));
  const repeated = pairs(first, again).find(([one]) => countOf(effects, one) > 1);
  if (repeated === undefined) return undefined;
  const [one] = repeated;
  const counted = { id: one.delivery.id, attempts: repeated, expected: 1, actual: countOf(effects, one) } as const;
  return effectFinding({ requirement: 'IDM-2', concurrent: true }, counted);
}

/** How long after its first deliveries a run is at its end. */
interface EndOfRun {
  /** Milliseconds, however short the run is. */
  readonly gap: number;
}

/** One case, at any intensity: the end of a run comes once. */
function endOfRun(): readonly Arbitrary<EndOfRun>[] {
  return [fc.record({ gap: fc.constant(1200) })];
}

/** Waits until it is there. */
async function untilEnd(kit: ReceiverKit, { gap }: EndOfRun): Promise<void> {
  await kit.pause(Math.max(0, kit.beginning.at + gap - kit.elapsed()));
}
