import type { Caused } from '../../suites/fuzz/fuzzing.ts';

/** The cause of a finding about a target that ended by itself, or does not come up again. */
export const death = 'died';

export function isDeath({ cause }: Caused): boolean {
  return cause === death;
}

/** Milliseconds in which a target may still die of what was played before. */
export const deathbed = 600;
