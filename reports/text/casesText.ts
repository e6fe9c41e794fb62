import type { CheckResult } from '../model/runSummary.ts';
import { amount, grouped } from './amount.ts';

/** How many cases of a check were tried. @example '36 cases', '12 of 36 cases' */
export function casesText({ cases, planned }: Pick<CheckResult, 'cases' | 'planned'>): string {
  return planned === undefined ? amount(cases, 'case') : `${grouped(cases)} of ${amount(planned, 'case')}`;
}
