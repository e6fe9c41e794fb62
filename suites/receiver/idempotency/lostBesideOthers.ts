import { type Finding, Unproven } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import { finding, type Point } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, mixedUpHint, oneOfEach } from '../counting.ts';
import { allSent } from '../effect.ts';
import { acceptedTwin, attemptsOf } from '../expectation.ts';

/**
 * One of those that were accepted took no effect, and another did.
 *
 * @throws Unproven where none did, or where it was refused before: then it may be its redelivery that was dropped
 */
export function lostOf(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  effects: ReadonlyMap<string, number>,
  point: Point,
): Finding | undefined {
  const lost = attempts.find((sent) => countOf(effects, sent) === 0);
  if (!lost) return undefined;
  const kept = attempts.filter((sent) => countOf(effects, sent) > 0);
  if (kept.length === 0) throw new Unproven('none of them took effect');
  if (!allSent(kit, lost).every(({ answer }) => kit.accepts(answer)))
    throw new Unproven('one of them was refused at first, and took no effect when it was delivered again (IDM-5)');
  return finding(
    { twin: itemOf(kept, 0), ...point, ...mixedUpHint(effects, attempts) },
    {
      attempts: [...kept, lost],
      expected:
        attempts.length === 2 ? 'one effect for each of the two ids' : `one effect for each of ${attempts.length} ids`,
      actual: 'no effect for one of them',
      absence: true,
      effects: [{ id: lost.delivery.id, expected: 1, actual: 0 }],
    },
  );
}

/** What is lost beside any other, and is not lost alone, is not lost for what the two have in common. */
export async function lostBesideOthers(
  kit: ReceiverKit,
  others: readonly Delivery[],
  together: boolean,
): Promise<Finding | undefined> {
  if (others.length < 2) return undefined;
  const sent = attemptsOf(others, await (together ? kit.together(others) : kit.inTurn(others)));
  const accepted = sent.filter(({ answer }) => kit.accepts(answer));
  const found = lostOf(kit, accepted, await kit.effects(oneOfEach(...accepted)), {
    requirement: 'RTY-1',
    difference: `one of ${accepted.length} notifications of different events that were accepted ${together ? 'at the same moment' : 'one right after the other'}`,
    concurrent: true,
    hint: 'An error of the store is swallowed, often that it is locked or busy (SQLITE_BUSY, a serialisation failure, a deadlock): answer 503 then, or try again, and accept nothing that is not stored.',
  });
  const lost = found?.attempts.at(-1);
  if (lost === undefined) return undefined;
  const alone = await acceptedTwin(kit, kit.again(lost.delivery));
  return countOf(await kit.effects(oneOfEach(alone)), alone) > 0 ? found : undefined;
}
