import { type Finding, receiverCheck, Unobservable } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding, type Point } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { Effects, ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, effectsInWords, idsOf, oneOfEach } from '../counting.ts';
import { acceptedTwin } from '../expectation.ts';
import { type EndOfRun, endOfRun, untilEnd } from './endOfRun.ts';

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
