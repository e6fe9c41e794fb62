import { amount } from './amount.ts';
import type { FoundFailure } from '../model/runSummary.ts';

/**
 * Whether a sequence that was found is the smallest that fails, and in what it was found.
 *
 * @returns nothing where there is nothing to say: it was reported as it was found
 * @example 'the smallest that fails; found in one of 14 steps'
 */
export function sizeText({ steps, found, cut }: Pick<FoundFailure, 'steps' | 'found' | 'cut'>): string | undefined {
  const isShorter = found > steps.length;
  if (!isShorter && cut === undefined) return undefined;
  const smallest = cut ? 'a smaller one may fail as well: there was no time to try all' : 'the smallest that fails';
  return isShorter ? `${smallest}; found in one of ${amount(found, 'step')}` : smallest;
}
