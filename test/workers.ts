import { availableParallelism } from 'node:os';

/** Milliseconds of the fixed work, at most, on a machine that is fast: one with a third of the speed takes four. */
const fast = 2.2;
const rounds = 10;

/**
 * How many test files run side by side. Much of their time is spent waiting for what must not come: with four, two slow cores
 * were idle for a third of the time. With more than five the kit itself is late there, so that more has to be tried again.
 * Fast cores have work for six.
 */
export function workers(): number {
  return availableParallelism() + (fixedWork() <= fast ? 4 : 3);
}

/** @returns the milliseconds of its quickest round: others may be at work on the same machine */
function fixedWork(): number {
  const text = JSON.stringify(Array.from({ length: 5000 }, (_, number) => ({ number, text: `text ${number}` })));
  const took = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    JSON.stringify(JSON.parse(text));
    return performance.now() - begun;
  });
  return Math.min(...took);
}
