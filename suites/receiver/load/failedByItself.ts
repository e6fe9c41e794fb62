import type { Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, idsOf } from '../counting.ts';
import { acceptedTwin, deliveredWithRetries } from '../expectation.ts';

/** So many at least take no effect, and so many at most are delivered again. */
const few = { least: 2, most: 8 } as const;

const markedTooEarly =
  'The id was stored as known before the work was done, and stayed so when the work failed: a lock in the database that was awaited ' +
  'in vain, an exception that nobody catches. Store the id and its effect in one transaction, or take the id back where the work fails.';

/**
 * Section 4.4: what the receiver failed at by itself in this run (no answer, or a 5xx) takes effect when it is delivered again. A new
 * one of the same content has to do so beside it.
 */
export async function lostByItsFailure(kit: ReceiverKit): Promise<Finding | undefined> {
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
