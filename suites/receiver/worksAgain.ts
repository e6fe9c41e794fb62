import type { Finding } from '../check.ts';
import type { Attempt } from '../delivery.ts';
import { finding } from '../finding.ts';
import type { ReceiverKit } from '../kit.ts';
import { countOf, idsOf } from './counting.ts';
import { delivered } from './expectation.ts';
import { composed, worksOnNothing } from './interruption.ts';

/** Milliseconds in which something takes effect at least: most leases of a worker that is gone have run out by then. */
const longestStart = 30_000;

/** Milliseconds between two looks. */
const lookEvery = 1000;

const worksNoMore =
  'It came up, accepts, and works on nothing. See what an end leaves behind that what works on notifications waits for: a lock ' +
  'file, a pid file, a row that says who works, whose owner is gone. Let locks end with their process (flock, advisory locks, ' +
  'leases that run out), and let a worker that cannot begin end the whole program. If it only has to wait for its turn (a lease of ' +
  'a minute), give --settle half of that at least.';

/** What to do about it. */
export const droppedAtTheStart =
  'What comes right after a start is accepted and dropped. Take connections only when you can store what they bring, or answer ' +
  '503 until then: the service delivers again what was refused, and nothing that was accepted. If you append to a file, cut off a ' +
  'half-written last record at the start: the next one is lost with it otherwise.';

/**
 * Waits until the first plain delivery after an interruption takes effect. The finding is that it does not, while later ones do;
 * or that nothing does, although what came after the interruption before took effect.
 *
 * @param twin - the first plain delivery after it
 * @throws Undecidable where nothing takes effect, as after another interruption: half a minute more would show nothing new
 */
export async function worksAgain(kit: ReceiverKit, twin: Attempt, difference: string): Promise<Finding | undefined> {
  if (!kit.probed || !kit.accepts(twin.answer)) return undefined;
  const began = kit.elapsed();
  const before = latestBefore(kit);
  kit.beginning.afterInterruption = twin;
  await kit.untilEffect(idsOf([twin]));
  if (!kit.isEffective(twin.delivery.event) || (await isAnyDone(kit, [twin]))) return undefined;
  if (kit.beginning.idleSince !== undefined) throw worksOnNothing(kit.beginning.idleSince);
  if (!(await isAnyDone(kit, before))) return undefined;
  const open = await withoutEffect(
    kit,
    kit.attempts.filter(({ delivery, answer }) => delivery.id !== twin.delivery.id && kit.accepts(answer)),
  );
  const later = await deliveredLater(kit, twin);
  if (later === undefined) return undefined;
  [, kit.beginning.afterInterruption] = later;
  const longest = Math.max(longestStart, 2 * kit.settle);
  const known = { twin, later, difference };
  for (; kit.elapsed() - began < longest; await kit.pause(lookEvery))
    if (await isAnyDone(kit, [twin, ...open, ...later])) return droppedFirst(kit, known);
  kit.beginning.idleSince = difference;
  return nothingDone(known, kit.elapsed() - began);
}

/** Deliveries that show whether it worked before: what had stopped by then was stopped by something else. */
const latest = 20;

/** What came after the interruption before; where this is the first one, the latest that other cases delivered. */
function latestBefore({ attempts, beginning }: ReceiverKit): readonly Attempt[] {
  if (beginning.afterInterruption) return [beginning.afterInterruption];
  const own = new Set(idsOf(attempts));
  const others = [...beginning.accepted.values()].filter(({ delivery }) => !own.has(delivery.id));
  return [...beginning.attempts, ...others].slice(-latest);
}

interface Known {
  readonly twin: Attempt;
  /** The same content again, and the smallest of all. */
  readonly later: readonly [Attempt, Attempt];
  readonly difference: string;
}

/** Nothing where one is refused. */
async function deliveredLater(kit: ReceiverKit, twin: Attempt): Promise<Known['later'] | undefined> {
  const [again, smallest] = [kit.again(twin.delivery), composed(kit, null)];
  const later = [await delivered(kit, again), await delivered(kit, smallest)] as const;
  return later.every(({ answer }) => kit.accepts(answer)) ? [...later] : undefined;
}

/** Nothing where it takes effect late, or the same content takes none later either. */
async function droppedFirst(kit: ReceiverKit, { twin, later, difference }: Known): Promise<Finding | undefined> {
  const [again] = later;
  await kit.untilEffect(idsOf([twin, again]), longestStart);
  if ((await isAnyDone(kit, [twin])) || !(await isAnyDone(kit, [again]))) return undefined;
  return finding(
    {
      requirement: 'RTY-1',
      twin: again,
      difference: `${difference}; delivered right after that`,
      hint: droppedAtTheStart,
    },
    {
      attempts: [twin],
      expected: 'exactly one effect',
      actual: 'no effect; a later delivery of the same content took effect',
      absence: true,
      effects: [{ id: twin.delivery.id, expected: 1, actual: 0 }],
    },
  );
}

/**
 * It counts at once: what keeps it from its work is still there when the case is tried again, so that there is no work left that
 * an interruption could end.
 */
function nothingDone({ twin, later, difference }: Known, ms: number): Finding {
  const sent = [twin, ...later];
  return finding(
    { requirement: 'RTY-1', difference, hint: worksNoMore },
    {
      attempts: sent,
      expected: `an effect of any of ${sent.length} plain deliveries that were accepted afterwards`,
      actual: `nothing took effect for ${Math.round(ms / 1000)} s since it runs again`,
      absence: false,
      effects: [{ id: twin.delivery.id, expected: 1, actual: 0 }],
    },
  );
}

async function withoutEffect(kit: ReceiverKit, sent: readonly Attempt[]): Promise<readonly Attempt[]> {
  const effects = await kit.effectsSoFar(idsOf(sent));
  return sent.filter((one) => countOf(effects, one) === 0);
}

async function isAnyDone(kit: ReceiverKit, sent: readonly Attempt[]): Promise<boolean> {
  const effects = await kit.effectsSoFar(idsOf(sent));
  return sent.some((one) => countOf(effects, one) > 0);
}
