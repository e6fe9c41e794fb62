import { amount } from './amount.ts';
import type { FoundFailure } from '../model/runSummary.ts';

/** How often a failure came again, in words. @example 'failed in 5 of 5 more tries' */
export function rateText({ failed, tries }: FoundFailure['rate']): string {
  return tries === 0 ? 'not tried again' : `failed in ${failed} of ${amount(tries, 'more try', 'more tries')}`;
}

/** What it was tried again beside. @example 'beside 2 other sequences' */
export function besideText(others = 0): string {
  return others === 0 ? 'alone' : `beside ${amount(others, 'other sequence')}`;
}
