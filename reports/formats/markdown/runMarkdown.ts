import { repeatCommand, replayCommand } from '../../curl/replayCommand.ts';
import { shellQuote } from '../../curl/shell.ts';
import type { Counterexample } from '../../model/exchange.ts';
import { exitCode } from '../../model/exitCode.ts';
import { unmetExpectations } from '../../model/expectations.ts';
import { type Finding, findings } from '../../model/findings.ts';
import { shownRequirements } from '../../model/requirementOutcome.ts';
import { runProblems } from '../../model/runProblems.ts';
import type { ExpectationResult, RequirementResult, RunSummary } from '../../model/runSummary.ts';
import { leftOutTexts } from '../../model/selectionEvents.ts';
import { isPassedSelection, unexpectedlyBroken } from '../../model/verdict.ts';
import type { ReporterOptions } from '../format.ts';
import { amount, duration, grouped, rateText } from '../../text/amount.ts';
import { cutShortTexts, subjectText, verdictLine } from '../../text/verdictWords.ts';
import { expectationText, showsNothing } from '../../text/failureText.ts';
import { caseTimeline, exchangeLines } from '../terminal/exchange.ts';
import { stepLines } from '../terminal/finding.ts';
import { labelled, pageOf } from '../terminal/page.ts';
import { budgetText } from '../../model/search.ts';
import {
  cited,
  code,
  commentLimit,
  contractProse,
  cut,
  fence,
  fitting,
  folded,
  htmlText,
  type Part,
  prose,
  table,
  unobservedParts,
} from './markdownText.ts';

/** One run: verdict, counts, what is broken; folded the smallest cases, what was not observed, and all requirements. */
export function runMarkdown(summary: RunSummary, { journal }: ReporterOptions): string {
  const found = findings(summary);
  const parts = [
    ...problemParts(summary),
    ...expectationParts(summary),
    ...brokenParts(summary, found),
    ...found.map((finding) => findingPart(finding, summary)),
    ...unobservedParts(summary),
    ...requirementsPart(summary),
    repeatPart(summary),
  ];
  return fitting(headOf(summary), parts, commentLimit, `All of it: ${code(reportCommand(journal, summary.command))}`);
}

/** The sign of a run in headings: whether it fails, is as it should be, or says too little. */
export function signOf(summary: RunSummary): string {
  const code = exitCode(summary);
  if (code === 1 || unexpectedlyBroken(summary).length > 0) return '❌';
  return code === 0 && (summary.verdict === 'conforms' || isPassedSelection(summary)) ? '✅' : '⚠&#xFE0F;';
}

function headOf(summary: RunSummary): string {
  const { kit, contract, target, run, search } = summary;
  // A search has no intensity: its budget bounds it.
  const effort = search === undefined ? `intensity ${prose(run.intensity, 40)}` : `a search ${budgetText(search)}`;
  const drawn = run.caughtOnly === true ? [] : [effort, `seed ${prose(String(run.seed), 20)}`];
  const facts = [...drawn, prose(duration(run.durationMs), 20)].join(', ');
  return [
    `## ${signOf(summary)} ${prose(kit.name, 60)}: ${prose(subjectText(target, run), 20)} ${code(target.address, 200)}`,
    `**${prose(verdictLine(summary), 2000)}**`,
    `Tested against ${contractProse(contract)}; ${facts}.`,
    ...leftOutTexts(contract).map((text) => `${prose(text, 1000)}.`),
    ...cutShortTexts(summary).map((text) => prose(text, 400)),
    countsTable(summary),
  ].join('\n\n');
}

function countsTable({ summary, checks, search }: RunSummary): string {
  const { passed, failed, warned, notObservable, inconclusive, errored, deliveries, calls } = summary;
  const columns = [
    ['Checks', checks.length],
    ['passed', passed],
    ['failed', failed],
    ['warned', warned],
    ['not observable', notObservable],
    ['inconclusive', inconclusive],
    ['errored', errored],
    ['Deliveries', deliveries],
    ...(calls === undefined ? [] : [['Calls', calls] as const]),
    ...(search ? [['Sequences', search.figures.cases] as const] : []),
  ] as const;
  return table(
    columns.map(([name]) => name),
    [columns.map(([, count]) => grouped(count))],
  );
}

/** A run that is not whole says so before anything else, and what it was at. */
function problemParts(summary: RunSummary): readonly Part[] {
  const problems = runProblems(summary).slice(0, 10);
  if (problems.length === 0) return [];
  const lines = problems.map(({ title, text }) => `> - **${prose(title, 200)}**: ${prose(text, 4000)}`);
  const incomplete = summary.run.complete ? [] : ['> **This report is incomplete.**', '>'];
  return [{ text: ['> [!WARNING]', ...incomplete, ...lines].join('\n'), name: 'what ended the run early' }];
}

function repeatPart({ command }: RunSummary): Part {
  const text = folded('How to repeat this run', fence(cut(command, 4000), 'sh'));
  return { text, name: 'the command that repeats the run' };
}

/**
 * The command that shows the whole of a run later, made from its journal.
 *
 * @param journal - its path; where it is not known, a placeholder stands there
 * @param command - the one that ran it: how the kit was started is taken from there
 */
function reportCommand(journal: string | undefined, command: string): string {
  const [program = ''] = command.split(/ (?:receiver|service|fuzz) /);
  const path = journal ?? '<journal>';
  return `${program} report ${/^[\w./:@-]+$|^<journal>$/.test(path) ? path : shellQuote(path)} --report html=report.html`;
}

/** Every requirement and how it stands, folded. */
function requirementsPart(summary: RunSummary): readonly Part[] {
  const requirements = shownRequirements(summary);
  if (requirements.length === 0) return [];
  const rows = requirements.map(({ id, level, section, outcome }) => [
    prose(id, 60),
    prose(level.toUpperCase(), 20),
    prose(section, 60),
    outcome,
  ]);
  const holding = requirements.filter(({ outcome }) => outcome === 'holds').length;
  const title = `All requirements: ${holding} of ${amount(requirements.length, 'requirement')} hold`;
  const text = folded(title, table(['Requirement', 'Level', 'Section', 'Outcome'], rows));
  return [{ text, name: 'the table of all requirements' }];
}

/** What was known to fail: the entries that no longer hold, which fail the run; then those that do. */
function expectationParts(summary: RunSummary): readonly Part[] {
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

/** Plain text in a fenced block, which scrolls sideways. */
const page = pageOf({ columns: 100 });

/** A failing case, folded: what was found, what went over the wire, how it is fixed, and how to see it again. */
function findingPart(finding: Finding, summary: RunSummary): Part {
  const { check, counterexample, expected = [] } = finding;
  const title = `${words[finding.weight]}: <code>${htmlText(check.id, 150)}</code> ${htmlText(check.title, 200)}`;
  const reasons = expected.map(({ reason }) => `_Expected to fail_: ${prose(reason, 400)}`);
  const content = [
    ...reasons,
    ...(counterexample ? caseBlocks(counterexample, finding, summary) : [prose(check.reason ?? 'No case was kept.')]),
    ...againBlocks(finding, summary),
  ];
  return { text: folded(title, content.join('\n\n')), name: 'smallest cases' };
}

const words: Readonly<Record<Finding['weight'], string>> = {
  failure: 'Failure',
  warning: 'Warning',
  flaky: 'Did not come again',
};

function caseBlocks(reported: Counterexample, { found }: Finding, summary: RunSummary): readonly string[] {
  const row = (label: string, text: string): readonly string[] => labelled(label, cut(text, 1500), page.width);
  const lines = [
    ...row('found', reported.summary),
    ...(found ? stepsOf(found) : []),
    ...row('expected', reported.expected),
    ...row('actual', reported.actual),
    '',
    ...caseTimeline(reported.timeline ?? [], page),
    ...exchangeLines(reported, summary.target, page),
  ];
  return [fence(cut(lines.join('\n').trimEnd(), 8000), 'text'), `**Hint**: ${prose(reported.hint, 1200)}`];
}

function stepsOf({ steps, found, rate }: NonNullable<Finding['found']>): readonly string[] {
  const lines = stepLines(steps.slice(0, 40), page.width - 10);
  const more = steps.length > 40 ? [`(${steps.length - 40} more)`] : [];
  const shrunk = found > steps.length ? `shrunk from ${found}; ` : '';
  const shown = [...lines, ...more, `(${shrunk}${rateText(rate)})`];
  return shown.map((line, index) => (index === 0 ? 'steps' : '').padEnd(10) + line);
}

/** Lines to be pasted are whole, or not there: half of them would do something else. */
function againBlocks({ check, counterexample, found }: Finding, summary: RunSummary): readonly string[] {
  const { curl = '', file } = counterexample ?? {};
  const pasted = counterexample !== undefined && !showsNothing(counterexample, summary) && curl.length <= 6000;
  const shell = pasted ? ['To see it again in a shell:', fence(curl, 'sh')] : [];
  const repeat = found === undefined ? repeatCommand(check.id, summary.command) : summary.command;
  const command = file === undefined ? repeat : replayCommand(file, summary.command);
  const what = file === undefined ? 'To repeat it:' : 'To try this very case again:';
  return [...shell, ...(command.length > 4000 ? [] : [what, fence(command, 'sh')])];
}

/** The requirements that are broken, one line each: those that break the conformance first. */
function brokenParts({ requirements }: RunSummary, found: readonly Finding[]): readonly Part[] {
  const broken = requirements.filter(({ outcome }) => outcome === 'broken');
  const lines = broken
    .map((row) => ({ row, mine: found.filter((finding) => finding.broken.some(({ id }) => id === row.id)) }))
    .toSorted((a, b) => rank(a.mine) - rank(b.mine))
    .map(({ row, mine }) => brokenLine(row, mine));
  return groups(lines, 20).map((group, index) => ({
    text: [...(index === 0 ? ['### Broken requirements', ''] : []), ...group].join('\n'),
    name: 'broken requirements',
  }));
}

function rank(mine: readonly Finding[]): number {
  if (mine.some(({ expected }) => expected === undefined)) return mine.some(isFailure) ? 0 : 1;
  return 2;
}

function isFailure({ weight, expected }: Finding): boolean {
  return weight === 'failure' && expected === undefined;
}

function brokenLine(row: RequirementResult, mine: readonly Finding[]): string {
  const [first] = mine;
  const { id, level, section, statement, why } = row;
  const what = `**${prose(id, 60)}** (${prose(level.toUpperCase(), 20)}, ${cited(section)}): ${prose(statement, 300)}${why === undefined ? '' : ` ${prose(why, 300)}`}`;
  const seen = first?.counterexample?.summary ?? first?.check.title ?? '';
  const which = first ? ` ${code(first.check.id, 100)}` : '';
  const more = mine.length > 1 ? ` and ${mine.length - 1} more` : '';
  const known = mine.length > 0 && mine.every(({ expected }) => expected !== undefined) ? ' _Expected to fail._' : '';
  return `- ${what} Found:${which}${more}: ${prose(seen, 200)}${known}`;
}

function groups(lines: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(lines.length / size) }, (_, at) => lines.slice(at * size, (at + 1) * size));
}
