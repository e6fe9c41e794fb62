import type { ComparedRequirement, Comparison } from './comparison.ts';
import { unexpectedlyBroken } from './verdict.ts';

/** The requirements that broke and count: each of them makes a comparison fail. */
export function regressions({ requirements, after }: Comparison): readonly ComparedRequirement[] {
  const counting = new Set(unexpectedlyBroken(after).map(({ id }) => id));
  return requirements.filter(({ id, change }) => change === 'broke' && counting.has(id));
}
