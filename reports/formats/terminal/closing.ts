import { exitCode } from '../../model/exitCode.ts';
import { verdictSentence } from '../../model/verdict.ts';
import { duration, grouped } from '../../text/amount.ts';
import type { Page } from './page.ts';
import type { Style } from '../../text/printer.ts';
import { searchCaution, searchRows } from './searchClosing.ts';
import { labelled, wrap } from './wrap.ts';
import type { RunSummary, RequirementOutcome } from '../../model/runSummary.ts';

const colors: Readonly<Record<RunSummary['verdict'], Style>> = {
  conforms: 'green',
  'does-not-conform': 'red',
  inconclusive: 'yellow',
};

/** The last lines: the counts, what repeats the run, and the verdict. */
export function closingLines(summary: RunSummary, journal: string | undefined, page: Page): readonly string[] {
  const { run } = summary;
  const row = (label: string, text: string): readonly string[] => labelled(label, text, page.width, 14);
  const overridden = summary.assumptions.filter(({ source }) => source !== 'default');
  const verdict = `${verdictSentence(summary)} (exit code ${exitCode(summary)}${run.strict ? ', --strict' : ''})`;
  return [
    ...(summary.search === undefined ? row('Checks', checkCounts(summary)) : []),
    ...row('Requirements', requirementCounts(summary)),
    ...[...(summary.search ? searchRows(summary, summary.search) : []), ...trafficRows(summary)].flatMap(
      ([label, text]) => row(label, text),
    ),
    ...(overridden.length > 0
      ? row('Assumptions', overridden.map(({ key, value }) => `${key}=${value}`).join(', '))
      : []),
    ...row('Seed', String(run.seed)),
    ...(journal === undefined ? [] : row('Journal', journal)),
    '',
    ...wrap(verdict.charAt(0).toUpperCase() + verdict.slice(1), page.width).map((line) =>
      page.paint(['bold', colors[summary.verdict]], line),
    ),
    ...searchCaution(summary, page),
  ];
}

function trafficRows({ summary, run }: RunSummary): readonly (readonly [label: string, text: string])[] {
  const { deliveries, calls } = summary;
  const rate = (count: number): string =>
    run.durationMs > 0 ? ` (${grouped((count * 1000) / run.durationMs)}/s)` : '';
  const time = duration(run.durationMs);
  if (calls === undefined) return [['Deliveries', `${grouped(deliveries)} in ${time}${rate(deliveries)}`]];
  return [
    ['Calls', `${grouped(calls)} made in ${time}${rate(calls)}`],
    ['Deliveries', `${grouped(deliveries)} caught`],
  ];
}

function checkCounts({ summary, checks }: RunSummary): string {
  const { passed, failed, warned, notObservable, inconclusive, errored } = summary;
  const counts = [
    [passed, 'passed'],
    [failed, 'failed'],
    [warned, 'warned'],
    [notObservable, 'not observable'],
    [inconclusive, 'inconclusive'],
    [errored, 'errored'],
  ] as const;
  const some = counts.filter(([count]) => count > 0).map(([count, word]) => `${grouped(count)} ${word}`);
  return [grouped(checks.length), some.join(', ')].filter(Boolean).join(': ');
}

function requirementCounts({ requirements: all, search }: RunSummary): string {
  const requirements = search === undefined ? all : all.filter(({ checks }) => checks.length > 0);
  const counts: Readonly<Record<RequirementOutcome, string>> = {
    holds: 'hold',
    broken: 'broken',
    inconclusive: 'inconclusive',
    'not-observed': 'not observed',
  };
  const by = Map.groupBy(requirements, ({ outcome }) => outcome);
  const some = Object.entries(counts).flatMap(([outcome, word]) => {
    const count = by.get(outcome as RequirementOutcome)?.length ?? 0;
    return count > 0 ? [`${count} ${count === 1 && outcome === 'holds' ? 'holds' : word}`] : [];
  });
  return [grouped(requirements.length), some.join(', ')].filter(Boolean).join(': ');
}
