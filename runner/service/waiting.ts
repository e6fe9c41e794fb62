import { RunEnded } from '../engine/runEnded.ts';
import type { RunState } from './run.ts';

/** Milliseconds after which anyone who waits looks again, even where nothing changed. */
const glance = 50;

/**
 * Waits until there is something, or until a time that may still change. Where the kit itself is late meanwhile, it waits
 * longer ({@link Lateness.extended}).
 *
 * @param look - what is waited for; nothing while it is not there
 * @param due - when to give up, in milliseconds of the run; nothing while that is not known
 * @returns nothing where the time came first
 * @throws RunEnded
 */
export async function waitFor<T>(
  context: Pick<RunState, 'ended' | 'elapsed' | 'changeSignal' | 'lateness'>,
  look: () => T | undefined,
  due: () => number | undefined,
): Promise<T | undefined> {
  const from = context.elapsed();
  const left = (): number => {
    const before = (due() ?? Infinity) - context.elapsed();
    return before > 0 ? before : context.lateness.extended(from, -Infinity) - context.elapsed();
  };
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (context.ended.aborted) throw new RunEnded('The run has ended.');
    const rest = left();
    if (rest <= 0) return undefined;
    await context.changeSignal.next(Math.min(rest, glance));
  }
}
