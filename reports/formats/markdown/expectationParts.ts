import { unmetExpectations } from '../../model/expectations.ts';
import { expectationText } from '../../text/expectationText.ts';
import type { Part } from './fitting.ts';
import { prose } from './markdownText.ts';
import type { RunSummary, ExpectationResult } from '../../model/runSummary.ts';

/** What was known to fail: the entries that no longer hold, which fail the run; then those that do. */
export function expectationParts(summary: RunSummary): readonly Part[] {
  const { expectations = [] } = summary;
  const unmet = unmetExpectations(summary);
  const others = expectations.filter((entry) => !unmet.includes(entry));
  return [...list('### Entries of --expect-failures that do not hold', unmet), ...list('### Expected to fail', others)];
}

const most = 40;

function list(title: string, entries: readonly ExpectationResult[]): readonly Part[] {
  if (entries.length === 0) return [];
  const lines = entries.slice(0, most).map(line);
  const more = entries.length > most ? [`- ${entries.length - most} more`] : [];
  return [{ text: [title, '', ...lines, ...more].join('\n'), name: 'entries of --expect-failures' }];
}

function line(entry: ExpectationResult): string {
  return `- **${prose(entry.id, 150)}** ${prose(expectationText(entry))}`;
}
