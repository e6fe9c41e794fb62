import { RunEnded } from '../engine/runEnded.ts';
import type { RunState } from './run.ts';

/** Milliseconds after which anyone who waits looks again, even where nothing changed. */
const glance = 50;

/**
 * Waits until there is something, or until a time that may still change.
 *
 * @param look - what is waited for; nothing while it is not there
 * @param due - when to give up, in milliseconds of the run; nothing while that is not known
 * @returns nothing where the time came first
 * @throws RunEnded
 */
export async function waitFor<T>(
  context: Pick<RunState, 'ended' | 'elapsed' | 'changeSignal'>,
  look: () => T | undefined,
  due: () => number | undefined,
): Promise<T | undefined> {
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (context.ended.aborted) throw new RunEnded('The run has ended.');
    const left = (due() ?? Infinity) - context.elapsed();
    if (left <= 0) return undefined;
    await context.changeSignal.next(Math.min(left, glance));
  }
}
