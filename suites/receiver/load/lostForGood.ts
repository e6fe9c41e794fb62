import type { Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, idsOf } from '../counting.ts';
import { acceptedTwin } from '../expectation.ts';

/** Ids that are asked for at once, and milliseconds after which no more are: a probe may be asked for each by itself. */
const look = { ids: 200, ms: 500 } as const;

/** So many at least are lost, and so many at most are delivered again. */
const few = { least: 2, most: 6 } as const;

/** What became of valid deliveries of the run that were accepted, and whose effects had not come by its end. */
export interface Lost {
  /** How many there were, and of how many. */
  readonly count: number;
  readonly of: number;
  /** What speaks for it that the later ones are more often lost, by the number of ids known by then; see {@link growthOf}. */
  readonly growth: number;
  /** Those that took effect when they were delivered once more, and those that did not. */
  readonly done: readonly Redelivered[];
  readonly undone: readonly Redelivered[];
}

type Redelivered = readonly [lost: Attempt, redelivered: Attempt];

/**
 * Those count of which the receiver does a new one of the same content, so that nothing is wrong with that. Then the same ones
 * are delivered under their own ids. Nothing where all took effect, or some do by themselves by now: these were late.
 */
export async function lostSoFar(kit: ReceiverKit): Promise<Lost | undefined> {
  const [all, of] = await withoutEffectSoFar(kit);
  const known = kit.beginning.attempts.slice(0, 1);
  // Of a probe that counts anew since a restart, nothing that came before is lost.
  if (all.length < few.least || (await withoutEffect(kit, known)).length > 0) return undefined;
  const some = all.slice(0, few.most);
  const twins = await Promise.all(some.map(({ delivery }) => acceptedTwin(kit, kit.again(delivery))));
  const effects = await effectsAlone(kit, twins);
  const judged = some.filter((_, place) => countOf(effects, itemOf(twins, place)) === 1);
  const [done, undone]: [Redelivered[], Redelivered[]] = [[], []];
  for (const sent of await withoutEffect(kit, judged)) {
    if ((await withoutEffect(kit, [sent])).length === 0) return undefined;
    const redelivered = await acceptedTwin(kit, sent.delivery);
    const count = countOf(await effectsAlone(kit, [redelivered]), redelivered);
    if (count < 2) (count === 1 ? done : undone).push([sent, redelivered]);
  }
  return { count: all.length, of, growth: growthOf(kit, all), done, undone };
}

/**
 * Of ids that are taken for known ones, the n-th is so with a chance that grows with n: at the relative place x the density is
 * 2x, and 1 of what is lost at any time. The logarithm of how many times as likely the first is of all of them together.
 */
function growthOf(kit: ReceiverKit, lost: readonly Attempt[]): number {
  const places = new Map([...kit.beginning.accepted.keys()].map((id, place, { length }) => [id, (place + 1) / length]));
  return lost.reduce((sum, { delivery: { id } }) => sum + Math.log(2 * (places.get(id) ?? 1)), 0);
}

/**
 * Whether about as many were lost before as at the end, or else more and more. At the end the growing part is twice its mean,
 * and the other part is the mean.
 */
export function isEven({ count, of, growth }: Lost, atEnd: { readonly lost: number; readonly of: number }): boolean {
  return growth + atEnd.lost * Math.LN2 - (atEnd.of * count) / of <= 0;
}

/** Those of the whole run, and of how many it was asked. What an end of the receiver may have lost is the matter of others. */
async function withoutEffectSoFar(kit: ReceiverKit): Promise<readonly [lost: readonly Attempt[], of: number]> {
  const began = kit.elapsed();
  const { accepted, unstored } = kit.beginning;
  const { settledEffects } = kit;
  const all = [...accepted.values()].filter(({ delivery }) => !unstored.has(delivery.id));
  const looks = Math.ceil(all.length / look.ids);
  const lost: Attempt[] = [];
  let of = 0;
  for (let first = 0; first < looks && kit.elapsed() - began < look.ms; first++) {
    const some = all.filter((_, place) => place % looks === first);
    // What was seen to take effect is not asked for again: the checks of what comes of it later look at that.
    const open = some.filter(({ delivery: { id } }) => (settledEffects.get(id)?.count ?? 0) === 0);
    lost.push(...(await withoutEffect(kit, open)));
    of += some.length;
  }
  return [lost, of];
}

async function withoutEffect(kit: ReceiverKit, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
  if (attempts.length === 0) return [];
  const effects = await kit.effectsSoFar(idsOf(attempts));
  return attempts.filter((sent) => countOf(effects, sent) === 0);
}

/** They were not taken for known: they are done as soon as they come again. */
export function stayedUndone({ count, of, done }: Lost): Finding | undefined {
  if (done.length < few.least) return undefined;
  return lostFinding(itemOf(done, 0), {
    difference: `${count} of ${of} valid deliveries of this run were accepted and took no effect in time, and this is one of them`,
    expected: 'exactly one effect of what is accepted, with no further delivery',
    actual: 'no effect until the kit delivered it again, when nothing else was under way',
    hint: longQueueHint,
  });
}

/** How many times as long as an absence is awaited, and milliseconds at most: work that failed may be tried again after a while. */
const patience = { times: 20, longest: 30_000 } as const;

/** Where more than this part of all is lost, it is no rare event, and the checks of what decides about it show it. */
const rare = 1 / 10;

/** They are known, and their work is never done. Nothing where any of it is done after all. */
export async function neverDone(kit: ReceiverKit, { count, of, undone }: Lost): Promise<Finding | undefined> {
  if (undone.length < few.least || count > rare * of) return undefined;
  const began = kit.elapsed();
  const ms = Math.min(patience.longest, patience.times * kit.settle);
  while (kit.elapsed() - began < ms) {
    await kit.pause(ms / patience.times);
    const still = await withoutEffect(
      kit,
      undone.map(([sent]) => sent),
    );
    if (still.length < undone.length) return undefined;
  }
  return lostFinding(itemOf(undone, 0), {
    difference: `${count} of ${of} valid deliveries of this run were accepted and took no effect, and this is one of them`,
    expected: 'exactly one effect of what is accepted',
    actual: `no effect, also none within ${Math.round(ms / 1000)} s after it was delivered once more`,
    hint: seldomLost,
  });
}

/** What loses one now and then. */
export const seldomLost =
  'Now and then one is lost: an error of the store that is swallowed, a batch that drops its last one, a place that two of ' +
  'them write to, a part of the ids whose queue nobody works on, or an id that is taken for another (a short hash, a filter ' +
  'that is right most of the time). Answer with an error where anything fails, accept nothing that is not stored, and compare ' +
  'whole ids.';

interface Words {
  readonly difference: string;
  readonly expected: string;
  readonly actual: string;
  readonly hint: string;
}

function lostFinding([lost, redelivered]: Redelivered, { difference, expected, actual, hint }: Words): Finding {
  const { id } = lost.delivery;
  return finding(
    { requirement: 'RTY-1', difference, concurrent: true, hint },
    {
      attempts: [lost, redelivered],
      expected,
      actual,
      effects: [{ id, expected: 1, actual: 0 }],
      absence: false,
    },
  );
}

/** What usually loses a notification that was accepted while many others waited. */
export const longQueueHint =
  'What came while others were at work was dropped. Either the queue between the answer and the work has a bound, and drops what ' +
  'does not fit (often the oldest, without a word), or storing it failed (a database that is locked, a pool with nothing left), ' +
  'and the error was passed over, or two of them were stored in one place (a file that is named by the time), or one was read ' +
  'before all of it was written. Answer only when it is stored, and with 503 where it cannot be.';
