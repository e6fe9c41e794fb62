import type { Shard } from '../../reports/model/selectionEvents.ts';
import { amount } from '../../reports/text/amount.ts';
import { UsageError } from '../errors.ts';
import type { SideCheck } from './side.ts';

type Schedule = NonNullable<SideCheck<never>['schedule']>['kind'];

/** About how long a case takes, by when its check runs: what shares its waits with others takes the least. */
const costs: Readonly<Record<Schedule, number>> = {
  beside: 1,
  waiting: 2,
  singly: 3,
  alone: 2,
  last: 2,
  interrupting: 8,
};

/** What a check is expected to take depends on these. */
type Costing = Pick<SideCheck<never>, 'weight' | 'schedule' | 'needs'>;

/**
 * The checks of each part: they follow one another as in the whole, so that the parts of a run, put together in their order,
 * are the run. What each part is expected to take is about the same. It depends on the checks and on whether the kit starts the
 * target, and so is the same on every machine.
 *
 * @throws UsageError where there are fewer checks than parts
 */
export function shards<C extends Costing>(
  checks: readonly C[],
  { index, count }: Shard,
  startsTarget: boolean,
): readonly (readonly C[])[] {
  if (count > checks.length) throw tooMany(checks.length, { index, count });
  // What cannot be observed takes no time, and is no part of its own.
  const costOf = (check: C): number =>
    check.needs.includes('process-control') && !startsTarget ? 0 : usualCost(check);
  const whole = checks.reduce((sum, check) => sum + costOf(check), 0);
  const parts: C[][] = [[]];
  let cost = 0;
  for (const [place, check] of checks.entries()) {
    const isDue = place > 0 && cost >= (whole * parts.length) / count;
    const isNeeded = checks.length - place <= count - parts.length;
    if ((isDue || isNeeded) && parts.length < count) parts.push([]);
    parts.at(-1)!.push(check);
    cost += costOf(check);
  }
  return parts;
}

function usualCost({ weight = 1, schedule }: Costing): number {
  return weight * costs[schedule?.kind ?? 'beside'];
}

function tooMany(checks: number, { index, count }: Shard): UsageError {
  return new UsageError('SW_OPTION_VALUE', {
    received: `--shard ${index}/${count}, and ${amount(checks, 'check')}`,
    valid: `at most ${amount(checks, 'part')}: each has a check`,
    next: `split the run into fewer parts, or select more checks`,
  });
}
