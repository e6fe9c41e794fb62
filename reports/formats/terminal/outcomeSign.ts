import type { CheckOutcome } from '../../model/events.ts';
import type { Page } from './page.ts';
import type { Style } from '../../text/printer.ts';
import type { RequirementOutcome } from '../../model/runSummary.ts';

/** What has a sign; `expected` is a failure that was known, and came. */
type SignedOutcome = CheckOutcome | RequirementOutcome | 'expected';

const signs: Readonly<Record<SignedOutcome, readonly [sign: string, style: Style]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  warned: ['!', 'yellow'],
  'not-observable': ['-', 'dim'],
  inconclusive: ['?', 'yellow'],
  errored: ['E', 'red'],
  holds: ['✓', 'green'],
  broken: ['✗', 'red'],
  'not-observed': ['-', 'dim'],
  expected: ['~', 'yellow'],
};

/** The one character that stands for an outcome wherever checks or requirements are listed. */
export function outcomeSign(outcome: SignedOutcome, page: Page): string {
  const [sign, style] = signs[outcome];
  return page.paint(style, sign);
}
