import { byReason, unexplained, unobservable, type UnobservedGroup } from '../../model/unobserved.ts';
import type { CheckResult, RunSummary } from '../../model/runSummary.ts';
import { amount } from '../../text/amount.ts';
import { outcomeSign, type Page } from './page.ts';
import { indent, wrap } from './wrap.ts';

/** What the run cannot say, and what would let it: an entry for each reason instead of one for each check. */
export function unobservedSections(summary: RunSummary, page: Page): readonly (readonly string[])[] {
  const { checks, search } = summary;
  const { options, others } = unobservable(checks);
  return [
    section(search === undefined ? 'Not observed' : 'Never judged', page, [
      ...(options.length === 0 ? [] : optionLines(options, page)),
      ...others.flatMap((group) => groupLines(group, 'not-observable', page)),
      ...requirementLines(summary, 'not-observed', page),
    ]),
    section('Inconclusive', page, [
      ...byReason(checks, 'inconclusive').flatMap((group) => groupLines(group, 'inconclusive', page)),
      ...requirementLines(summary, 'inconclusive', page),
    ]),
    section(
      'Errors of the kit itself',
      page,
      byReason(checks, 'errored').flatMap((group) => groupLines(group, 'errored', page)),
    ),
  ];
}

function section(title: string, page: Page, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [page.paint('bold', title), '', ...lines];
}

/** One entry for each reason of requirements that no check explains. */
function requirementLines(
  summary: RunSummary,
  outcome: 'not-observed' | 'inconclusive',
  page: Page,
): readonly string[] {
  const mine = unexplained(summary).filter((row) => row.outcome === outcome);
  return [...Map.groupBy(mine, ({ reason }) => reason)].flatMap(([reason, rows]) => {
    const [first = '', ...rest] = wrap(`${rows.map(({ id }) => id).join(', ')}: ${reason}`, page.width - 2);
    return [`${outcomeSign(outcome, page)} ${first}`, ...indent(rest, 2)];
  });
}

/** All that options would make observable, in one line. */
function optionLines(options: ReturnType<typeof unobservable>['options'], page: Page): readonly string[] {
  const each = options.map(({ option, checks }) => `${option} (${amount(checks.length, 'check')} of ${idsOf(checks)})`);
  const [first = '', ...rest] = wrap(`Options that would make more observable: ${each.join('; ')}`, page.width - 2);
  return [`${outcomeSign('not-observable', page)} ${first}`, ...indent(rest, 2)];
}

function groupLines(
  { reason, checks }: UnobservedGroup,
  outcome: 'not-observable' | 'inconclusive' | 'errored',
  page: Page,
): readonly string[] {
  const [first = '', ...rest] = wrap(reason, page.width - 2);
  const names = checks.length > 3 ? [] : checks.map(({ id }) => id);
  const whose =
    names.length > 0
      ? `${names.join(', ')} (${idsOf(checks)})`
      : `${amount(checks.length, 'check')} of ${idsOf(checks)}`;
  return [
    `${outcomeSign(outcome, page)} ${first}`,
    ...indent(rest, 2),
    ...indent(
      wrap(whose, page.width - 4).map((line) => page.paint('dim', line)),
      4,
    ),
  ];
}

function idsOf(checks: readonly CheckResult[]): string {
  return [...new Set(checks.flatMap(({ requirements }) => requirements))].join(', ');
}
