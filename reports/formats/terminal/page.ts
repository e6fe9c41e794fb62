import type { Sink, Style } from '../../sink.ts';
import type { CheckOutcome } from '../../model/events.ts';
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

/** A line across the page that begins with a title. */
export function rule(title: string, page: Page): string {
  return page.paint('bold', `── ${title} ${'─'.repeat(Math.max(0, page.width - title.length - 4))}`);
}

/** What a section of the report needs to know of where it will be read. */
export interface Page {
  /** Columns that a line may take: the sink's, but between 40 and 100, where text stays readable. */
  readonly width: number;
  /** Colours a text, or leaves it as it is where no colours are shown. */
  paint(style: Style | readonly Style[], text: string): string;
}

/** The page that a sink offers. Without a printer it has no colours. */
export function pageOf({ columns, printer }: Pick<Sink, 'columns' | 'printer'>): Page {
  return {
    width: Math.min(100, Math.max(40, columns)),
    paint: (style, text) => printer?.paint(style, text) ?? text,
  };
}
