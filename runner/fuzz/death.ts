import type { Caused } from '../../suites/fuzz/fuzzing.ts';

/** The cause of a finding about a target that ended by itself, or does not come up again. */
export const death = 'died';

export function isDeath({ cause }: Caused): boolean {
  return cause === death;
}
