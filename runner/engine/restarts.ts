import { scheduleOf } from '../../suites/check.ts';
import type { Economy } from './cases.ts';
import type { Intensity } from './plan.ts';
import type { SideCheck } from './side.ts';

/** Milliseconds of a quick start: the longer one takes, the fewer cases a check gets that restarts the target. */
const quickStart = 250;

/** Milliseconds of a start from which on a quick look has one case of each check: one of each kind would take minutes. */
const slowStart = 2000;

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
  if (intensity === 'quick' && slowestStart > slowStart) return { share, least: 'one' };
  return { share, ...(share < 1 && intensity === 'standard' && { least: 'kinds' as const }) };
}
