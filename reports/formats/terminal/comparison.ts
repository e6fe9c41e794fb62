import { changeTitles, changesToTell, standingWords } from '../../text/changeWords.ts';
import type { Change, Comparison } from '../../model/comparison.ts';
import { regressions } from '../../model/regressions.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import { amount, duration } from '../../text/amount.ts';
import type { Page } from './page.ts';
import { indent, labelled, wrap } from './wrap.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** Two runs for people: which they are, what changed, and last whether that is a regression. */
export function comparisonLines(comparison: Comparison, page: Page): readonly string[] {
  const { before, after, cautions, slower } = comparison;
  const sections = [
    [...runLines('before', before, page), ...runLines('after', after, page)],
    ...(cautions.length > 0 ? [titled('Before you compare', cautions, page)] : []),
    ...changesToTell.map((change) => changeLines(comparison, change, page)),
    checkLines(comparison, page),
    ...(slower.length > 0 ? [titled('Slower', slower.map(slowerText), page)] : []),
    wrap(lastWords(comparison), page.width).map((line) =>
      page.paint(['bold', comparison.regressed ? 'red' : 'green'], line),
    ),
  ].filter((lines) => lines.length > 0);
  return sections.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function runLines(word: string, summary: RunSummary, page: Page): readonly string[] {
  const { run, target } = summary;
  return [
    ...labelled(word, `${run.id}, ${run.startedAt}, ${target.address}`, page.width),
    ...labelled('', verdictLine(summary), page.width),
  ];
}

function changeLines({ requirements }: Comparison, change: Change, page: Page): readonly string[] {
  const rows = requirements.filter((row) => row.change === change);
  const texts = rows.map(({ id, level, before, after, statement }) => {
    return `${id} ${level.toUpperCase()}: ${standingWords(before)} → ${standingWords(after)}. ${statement}`;
  });
  return rows.length === 0 ? [] : titled(changeTitles[change], texts, page);
}

function checkLines({ checks }: Comparison, page: Page): readonly string[] {
  const changed = checks.filter(({ change }) => change !== 'same');
  const texts = changed.map(({ id, before, after }) => `${id}: ${standingWords(before)} → ${standingWords(after)}`);
  return changed.length === 0 ? [] : titled('Checks that changed', texts, page);
}

function slowerText({ what, before, after }: Comparison['slower'][number]): string {
  return `${what}: ${duration(before)} → ${duration(after)}`;
}

function titled(title: string, texts: readonly string[], page: Page): readonly string[] {
  return [page.paint('bold', title), '', ...texts.flatMap((text) => indent(wrap(text, page.width - 2), 2))];
}

function lastWords(comparison: Comparison): string {
  if (!comparison.regressed) return 'No regression (exit code 0)';
  const broke = regressions(comparison);
  return `A regression: ${amount(broke.length, 'requirement')} ${broke.length === 1 ? 'that counts' : 'that count'} broke: ${broke.map(({ id }) => id).join(', ')} (exit code 1)`;
}
