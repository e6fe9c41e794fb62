import { expectationsOf, unmetExpectations } from '../../model/expectations.ts';
import type { ProcessChanged } from '../../model/processEvents.ts';
import type { CheckResult, ExpectationResult, RunSummary } from '../../model/runSummary.ts';
import { byReason, unexplained, unobservable, type UnobservedGroup } from '../../model/unobserved.ts';
import { amount, duration } from '../../text/amount.ts';
import { expectationText } from '../../text/failureText.ts';
import { visible } from '../../text/visible.ts';
import { indent, outcomeSign, type Page, wrap } from './page.ts';

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
  const names = checks.length > 3 ? amount(checks.length, 'check') : checks.map(({ id }) => id).join(', ');
  const ids = idsOf(checks);
  // A check of what the contract leaves open proves no requirement.
  const whose = ids === '' ? names : checks.length > 3 ? `${names} of ${ids}` : `${names} (${ids})`;
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

/** Deaths that are reported one by one. */
const fewDeaths = 3;

/** That the target ended by itself, when, and what it wrote before: it was started again, and the run went on. */
export function deathLines({ deaths, said, target, lost }: RunSummary, page: Page): readonly string[] {
  if (deaths.length === 0) return [];
  const more = deaths.length - fewDeaths;
  const file = said?.file === undefined || lost !== undefined ? [] : [`All that it wrote is in ${said.file}.`];
  return [
    page.paint(
      ['bold', 'yellow'],
      `The ${target.kind} ${deaths.some(({ change }) => change === 'lost') ? 'went away' : 'ended by itself'}${deaths.length === 1 ? '' : `, ${deaths.length} times`}`,
    ),
    '',
    ...deaths.slice(0, fewDeaths).flatMap((death) => deathText(death, page)),
    ...(more > 0 ? [`  (${more} more; the JSON report has them all)`] : []),
    ...indent(
      file.flatMap((line) => wrap(line, page.width - 2)),
      2,
    ),
  ];
}

function deathText({ ms, check, change, detail, said = [] }: ProcessChanged, page: Page): readonly string[] {
  const where = check === 'control' ? '' : `, while ${check} was at work`;
  const isLost = change === 'lost';
  const how = detail === undefined ? '' : isLost ? `: it ${detail}` : ` with ${detail}`;
  const wrote = isLost ? '' : said.length === 0 ? '; it wrote nothing' : '; it wrote last:';
  const what = isLost ? `after ${duration(ms)}${where}${how}` : `after ${duration(ms)}${how}${where}${wrote}`;
  return [
    ...indent(wrap(what, page.width - 2), 2),
    ...indent(
      said.flatMap((line) => wrap(line, page.width - 4)),
      4,
    ),
  ];
}
