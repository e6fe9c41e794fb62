import type { Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, idsOf } from '../counting.ts';
import { acceptedTwin } from '../expectation.ts';
import { longQueueHint } from './longQueueHint.ts';

/** So many at least must be lost, and be done when they are delivered again; so many at most are. */
const few = { least: 3, most: 6 } as const;

/**
 * Plain deliveries that other checks sent, whose effects never came, although they were accepted. It counts where the
 * receiver does, one after the other, what it did not do then: new ones of the same content, so that nothing is wrong with
 * that, and then the same ones under their own ids, so that these were not taken for known.
 */
export async function lostForGood(kit: ReceiverKit): Promise<Finding | undefined> {
  const noted = kit.beginning.lost.filter(({ delivery }) => kit.settledEffects.has(delivery.id));
  const lost = await withoutEffect(kit, noted.slice(-few.most));
  const [one] = lost;
  if (one === undefined || lost.length < few.least) return undefined;
  const twins = [kit.again(one.delivery), kit.again(one.delivery)];
  const taken = await Promise.all(twins.map((twin) => acceptedTwin(kit, twin)));
  const effects = await effectsAlone(kit, taken);
  if (taken.some((twin) => countOf(effects, twin) !== 1)) return undefined;
  const still = await withoutEffect(kit, lost);
  if (still.length < few.least) return undefined;
  const done: (readonly [lost: Attempt, redelivered: Attempt])[] = [];
  for (const sent of still) {
    // What comes by itself was late.
    if ((await withoutEffect(kit, [sent])).length === 0) return undefined;
    const redelivered = await acceptedTwin(kit, sent.delivery);
    const seen = await effectsAlone(kit, [redelivered]);
    if (countOf(seen, redelivered) === 1) done.push([sent, redelivered]);
  }
  return done.length < few.least ? undefined : stayedUndone(kit, ...itemOf(done, 0));
}

async function withoutEffect(kit: ReceiverKit, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
  if (attempts.length === 0) return [];
  const effects = await kit.effectsSoFar(idsOf(attempts));
  return attempts.filter((sent) => countOf(effects, sent) === 0);
}

function stayedUndone(kit: ReceiverKit, lost: Attempt, redelivered: Attempt): Finding {
  const { id } = lost.delivery;
  return finding(
    {
      requirement: 'RTY-1',
      difference: `one of ${kit.beginning.lost.length} plain deliveries of this run that were accepted and took no effect in time`,
      concurrent: true,
      hint: longQueueHint,
    },
    {
      attempts: [lost, redelivered],
      expected: 'exactly one effect of what is accepted, with no further delivery',
      actual: 'no effect until the kit delivered it again, when nothing else was under way',
      effects: [{ id, expected: 1, actual: 0 }],
      absence: false,
    },
  );
}
