import { scheduleOf } from '../../suites/check.ts';
import type { Economy } from './cases.ts';
import type { Intensity } from './plan.ts';
import type { SideCheck } from './side.ts';

/** Milliseconds of a quick start: the longer one takes, the fewer cases a check gets that restarts the target. */
const quickStart = 250;

/** Milliseconds of starts that the kinds of one check may take in a quick look: with one of each it would take minutes. */
const startsOfCheck = 12_000;

/**
 * How many cases a check gets that restarts the target; nothing of any other check. At `standard` one of each kind is
 * tried at least: a start of seconds for each variant would be the longest part of the run.
 *
 * @param slowestStart - milliseconds that the slowest start took so far
 */
export function economyOfRestarts(
  check: Pick<SideCheck<never>, 'schedule'>,
  intensity: Intensity,
  slowestStart = 0,
): Economy | undefined {
  const schedule = scheduleOf(check);
  if (schedule.kind !== 'interrupting' || schedule.restarts === false) return undefined;
  const share = Math.min(1, quickStart / slowestStart);
  if (intensity === 'quick' && share < 1)
    return { share, kinds: Math.max(1, Math.floor(startsOfCheck / slowestStart)) };
  return { share, ...(share < 1 && intensity === 'standard' && { least: 'kinds' as const }) };
}
