import type { CheckOutcome } from '../events.ts';
import type { RequirementOutcome } from '../requirementOutcome.ts';
import type { Page, Style } from './page.ts';

const signs: Readonly<Record<CheckOutcome | RequirementOutcome, readonly [sign: string, style: Style]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  warned: ['!', 'yellow'],
  'not-observable': ['-', 'dim'],
  inconclusive: ['?', 'yellow'],
  errored: ['E', 'red'],
  holds: ['✓', 'green'],
  broken: ['✗', 'red'],
  'not-observed': ['-', 'dim'],
};

/** The one character that stands for an outcome wherever checks or requirements are listed. */
export function outcomeSign(outcome: CheckOutcome | RequirementOutcome, page: Page): string {
  const [sign, style] = signs[outcome];
  return page.paint(style, sign);
}
