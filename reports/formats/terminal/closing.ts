import { exitCode } from '../../model/exitCode.ts';
import { findings } from '../../model/findings.ts';
import { shownRequirements } from '../../model/requirementOutcome.ts';
import { runProblems } from '../../model/runProblems.ts';
import type { RequirementOutcome, RunSummary, SearchResult } from '../../model/runSummary.ts';
import { searchFindings, unsettledFailures } from '../../model/search.ts';
import { isPassedSelection, verdictSentence } from '../../model/verdict.ts';
import type { ReporterOptions } from '../format.ts';
import type { Style } from '../../sink.ts';
import { amount, duration, grouped } from '../../text/amount.ts';
import { cutShortTexts, capital } from '../../text/verdictWords.ts';
import { firstLine } from '../../text/visible.ts';
import { attemptLines } from './attempt.ts';
import { indent, labelled, outcomeSign, type Page, wrap } from './page.ts';

/** The last lines: the counts, what repeats the run, where it is written down, and the verdict. */
export function closingLines(summary: RunSummary, options: ReporterOptions, page: Page): readonly string[] {
  const row = (label: string, text: string): readonly string[] => labelled(label, text, page.width, 14);
  const { resumes } = summary.run;
  const overridden = summary.assumptions.filter(({ source }) => source !== 'default');
  return [
    ...(isUntested(summary) ? [] : countRows(summary).flatMap(([label, text]) => row(label, text))),
    ...cutShortTexts(summary).flatMap((text) => row('Time', text)),
    ...(overridden.length > 0
      ? row('Assumptions', overridden.map(({ key, value }) => `${key}=${value}`).join(', '))
      : []),
    ...(resumes ? row('Resumes', `the run ${resumes.id}`) : []),
    ...(summary.run.caughtOnly === true ? [] : row('Seed', String(summary.run.seed))),
    ...(options.journal === undefined ? [] : row('Journal', options.journal)),
    ...(options.reports ?? []).flatMap((path, index) => row(index === 0 ? 'Reports' : '', path)),
    '',
    ...verdictLines(summary, page),
    ...searchCaution(summary, page),
  ];
}

function countRows(summary: RunSummary): readonly (readonly [label: string, text: string])[] {
  return [
    ...(summary.search === undefined ? [['Checks', checkCounts(summary)] as const] : []),
    ['Requirements', requirementCounts(summary)],
    ...(summary.search ? searchRows(summary, summary.search) : []),
    ...trafficRows(summary),
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

function requirementCounts(summary: RunSummary): string {
  const requirements = shownRequirements(summary);
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

/** What a search did, as rows of the closing lines. */
function searchRows({ run, target }: RunSummary, search: SearchResult): readonly (readonly [string, string])[] {
  const { cases, steps, distinct, corpus } = search.figures;
  const rate = run.durationMs > 0 ? ` (${grouped((cases * 1000) / run.durationMs)}/s)` : '';
  return [
    ['Sequences', `${grouped(cases)} in ${duration(run.durationMs)}${rate}, with ${amount(steps, 'step')} in all`],
    [
      'Answers',
      `${amount(distinct, 'distinct answer')} of the ${target.kind}; ${amount(corpus, 'sequence')} in the corpus`,
    ],
    ['Failures', searchFindings(search)],
  ];
}

/** What it means where a search ended without a failure. */
function searchCaution({ search, requirements, target }: RunSummary, page: Page): readonly string[] {
  if (search === undefined || search.figures.failures > 0 || search.figures.cases === 0) return [];
  if (unsettledFailures(search) > 0) return ['', ...wrap(unsettledText, page.width)];
  const judged = requirements.filter(({ outcome }) => outcome === 'holds').length;
  const text = `${judged === 0 ? 'That shows nothing: no requirement was judged.' : noProof(target.kind, judged)} A longer search, or one with another seed, may find more; \`seaworthy ${target.kind}\` tries what the contract says one by one.`;
  return ['', ...wrap(text, page.width)];
}

const unsettledText =
  'Nothing is known of the failures that it saw and could not try again: the same search, with more time, may find them once more.';

function noProof(kind: string, judged: number): string {
  const looked = judged === 1 ? 'the one requirement that was' : `one of the ${grouped(judged)} requirements that were`;
  return `That is no proof: none of these sequences showed the ${kind} break ${looked} looked at.`;
}

/** Whether nothing was tested because the target did not start or did not pass the positive control: a report has one thing to say. */
export function isUntested({ control, lost, checks }: RunSummary): boolean {
  return control?.accepted !== true && lost !== undefined && checks.every(({ cases }) => cases === 0);
}

/** Why nothing was tested, what to do, and what the target answered where it answered. */
export function untestedLines(summary: RunSummary, page: Page): readonly string[] {
  const { control, lost, target } = summary;
  if (lost === undefined) return [];
  const problems = runProblems(summary);
  const others = problems.filter(({ text }) => !text.startsWith(lost.reason));
  const own = problems.find((problem) => !others.includes(problem));
  const attempt = control?.attempt;
  const isAnswered = attempt && ('caught' in attempt || attempt.answer.kind === 'answered');
  const reason = capital(lost.reason);
  return [
    ...wrap(reason, page.width).map((line) => page.paint(['bold', 'red'], line)),
    ...wrap(own?.text.slice(lost.reason.length).trimStart() ?? lost.advice, page.width),
    ...others.flatMap(({ title, text }) => ['', title, ...indent(wrap(text, page.width - 2), 2)]),
    ...(isAnswered ? ['', ...indent(attemptLines(attempt, target.kind, { ...page, width: page.width - 2 }), 2)] : []),
  ];
}

/** Findings that are named before everything else. */
const few = 8;

/** What a hurried reader needs first: the verdict, what it rests on, and what to do first. */
export function headLines(summary: RunSummary, page: Page): readonly string[] {
  const problems = runProblems(summary);
  return [
    ...verdictLines(summary, page),
    ...problems.flatMap(({ title, text }) =>
      indent(wrap(`${capital(title)}: ${inShort(text, summary)}`, page.width - 2), 2),
    ),
    ...timeLines(summary, page),
    ...foundLines(summary, page),
  ];
}

/** What the time was too short for, where that leaves something undecided. */
function timeLines(summary: RunSummary, page: Page): readonly string[] {
  if (summary.checks.every(({ untriedKinds = 0 }) => untriedKinds === 0)) return [];
  return cutShortTexts(summary).flatMap((text) => indent(wrap(text, page.width - 2), 2));
}

/** The first sentence of what became of the target; of other problems that they stand below. */
function inShort(text: string, { lost }: RunSummary): string {
  const [first = ''] = lost === undefined ? [] : firstLine(lost.reason).split(/(?<=\.) /, 1);
  return first !== '' && text.startsWith(first) ? first : 'see below.';
}

/** The verdict, as it stands at the head and at the end of a report. */
function verdictLines(summary: RunSummary, page: Page): readonly string[] {
  const code = `(exit code ${exitCode(summary)}${summary.run.strict ? ', --strict' : ''})`;
  return wrap(`${capital(verdictSentence(summary))} ${code}`, page.width).map((line) =>
    page.paint(['bold', toneOf(summary)], line),
  );
}

function toneOf(summary: RunSummary): Style {
  if (isPassedSelection(summary)) return 'green';
  return ({ conforms: 'green', 'does-not-conform': 'red', inconclusive: 'yellow' } as const)[summary.verdict];
}

/** What was found, a requirement at a time, and how the first of it is usually fixed. */
function foundLines(summary: RunSummary, page: Page): readonly string[] {
  const found = findings(summary).filter(({ weight, expected }) => weight !== 'flaky' && expected === undefined);
  const [first] = found;
  if (first === undefined) return [];
  const byRequirement = [...Map.groupBy(found, ({ broken }) => broken.map(({ id }) => id).join(', '))];
  const entries = byRequirement.slice(0, few).flatMap(([ids, [one, ...others]]) => {
    const more = others.length === 0 ? '' : ` (and ${amount(others.length, 'more finding')})`;
    const text = `${ids}: ${one?.counterexample?.summary ?? one?.check.title ?? ''}${more}`;
    const [line = '', ...rest] = wrap(text, page.width - 4);
    return [`  ${outcomeSign(one?.weight === 'failure' ? 'failed' : 'warned', page)} ${line}`, ...indent(rest, 4)];
  });
  const left = byRequirement.length - few;
  const hint = first.counterexample?.hint;
  return [
    '',
    ...entries,
    ...(left > 0 ? [`    (${amount(left, 'more requirement')} below)`] : []),
    ...(hint === undefined ? [] : ['', ...labelled('Do first', hint, page.width)]),
  ];
}
