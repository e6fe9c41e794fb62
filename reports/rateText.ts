import type { FoundFailure } from './search.ts';
import { amount } from './terminal/amount.ts';

/** How often a failure came again, in words. @example 'failed in 5 of 5 more tries' */
export function rateText({ failed, tries }: FoundFailure['rate']): string {
  return tries === 0 ? 'not tried again' : `failed in ${failed} of ${amount(tries, 'more try', 'more tries')}`;
}
