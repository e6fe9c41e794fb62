import type { Guardian } from '../process/guardian.ts';
import type { Activity } from './activity.ts';
import type { GeneratedCase } from './cases.ts';
import type { Found, Trial } from './trial.ts';
import type { Property } from './property.ts';

/** A case that the target may have died of long after it. */
export interface LateSuspect<F extends Found> {
  readonly case: GeneratedCase;
  readonly property: Property<F>;
  readonly activity: Activity;
  try(generated: GeneratedCase): Promise<Trial<F>>;
}

/**
 * Finds which of many cases the target dies of some time later, where a death was seen that none of those explains that
 * were at work. Half of them are tried, and a death is awaited, then one half of those that remain, and so on. To be called
 * while nothing else is at work.
 *
 * @param ms - how long a death is awaited; twice as long in a second search, where the first one lost its trace
 * @param mayRepeat - whether there is a second search
 */
export async function findLateCause<F extends Found>(
  suspects: readonly LateSuspect<F>[],
  guardian: Pick<Guardian, 'deaths' | 'unexplained' | 'explain' | 'untilDeath'>,
  ms: number,
  mayRepeat = true,
): Promise<void> {
  const { unexplained: first, deaths: before } = guardian;
  let left = suspects;
  while (left.length > 1 && first) {
    const half = left.slice(0, left.length >> 1);
    const { deaths } = guardian;
    await Promise.all(half.map((one) => one.activity.run(() => one.try(one.case))));
    if (guardian.deaths === deaths) await guardian.untilDeath(ms);
    left = guardian.deaths > deaths ? half : left.slice(half.length);
  }
  const [cause] = left;
  if (!cause || !first) return;
  const { deaths } = guardian;
  // It is waited for twice as long.
  await cause.property.accuse({ case: cause.case, death: { ...first, number: 0 }, after: ms / 2 });
  if (guardian.deaths === deaths) {
    // On a busy machine a death may come later than it was awaited: the half that it is of was left out.
    if (mayRepeat && deaths > before) await findLateCause(suspects, guardian, 2 * ms, false);
    return;
  }
  cause.property.fatal.keep();
  for (let number = first.number; number <= guardian.deaths; number++) guardian.explain({ ...first, number });
}
