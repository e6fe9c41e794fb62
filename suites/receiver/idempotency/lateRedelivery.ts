import { describeAnswer } from '../../answer.ts';
import { receiverCheck, Unobservable, Unproven, type Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { finding } from '../../finding.ts';
import { countOf, idsOf, oneOfEach } from '../counting.ts';
import { effectFinding } from '../effect.ts';
import { acceptedStatuses, acceptedTwin, deliveredWithRetries } from '../expectation.ts';
import { itemOf, pairs } from '../../items.ts';
import { type EndOfRun, endOfRun, untilEnd } from './endOfRun.ts';

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
