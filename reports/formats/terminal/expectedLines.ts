import type { RunSummary, ExpectationResult } from '../../model/runSummary.ts';
import { outcomeSign, type Page } from './page.ts';
import { indent, wrap } from './wrap.ts';
import { expectationsOf, unmetExpectations } from '../../model/expectations.ts';
import { expectationText } from '../../text/expectationText.ts';
import { visible } from '../../text/visible.ts';

/** What was known to fail and how that stands, what does not hold last. A failure that was expected is reported in short. */
export function expectedLines(summary: RunSummary, page: Page): readonly string[] {
  const { expectations = [] } = summary;
  if (expectations.length === 0) return [];
  const unmet = new Set(unmetExpectations(summary));
  const entries = expectations.toSorted((a, b) => Number(unmet.has(a)) - Number(unmet.has(b)));
  return [
    page.paint('bold', 'Expected failures'),
    '',
    `${outcomeSign('expected', page)} fails as expected   ${outcomeSign('failed', page)} does not hold   ${outcomeSign('inconclusive', page)} not seen`,
    '',
    ...entries.flatMap((entry) => {
      const failing = summary.checks.filter((check) => expectationsOf(check, summary).includes(entry));
      const found = failing.map(({ id, title, counterexample }) => `${id}: ${counterexample?.summary ?? title}`);
      return [
        `${outcomeSign(signOf(entry, unmet), page)} ${page.paint('bold', visible(entry.id))}`,
        ...indent(wrap(expectationText(entry), page.width - 2), 2),
        ...indent(
          found.flatMap((line) => wrap(line, page.width - 4)).map((line) => page.paint('dim', line)),
          4,
        ),
      ];
    }),
  ];
}

function signOf(
  entry: ExpectationResult,
  unmet: ReadonlySet<ExpectationResult>,
): 'expected' | 'failed' | 'inconclusive' {
  if (entry.outcome === 'fails') return 'expected';
  return unmet.has(entry) ? 'failed' : 'inconclusive';
}
