import { exitCode } from '../../model/exitCode.ts';
import { findings } from '../../model/findings.ts';
import { reportCommand } from '../../curl/reportCommand.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { runProblems } from '../../model/runProblems.ts';
import { duration, grouped } from '../../text/amount.ts';
import { budgetText } from '../terminal/searchFigures.ts';
import { unexpectedlyBroken } from '../../model/verdict.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import { brokenParts } from './brokenParts.ts';
import { commentLimit } from './commentLimit.ts';
import { expectationParts } from './expectationParts.ts';
import { findingPart } from './findingPart.ts';
import { fitting, type Part } from './fitting.ts';
import { code, cut, fence, folded, prose, table } from './markdownText.ts';
import { requirementsPart } from './requirementsPart.ts';
import { unobservedParts } from './unobservedParts.ts';
import type { RunSummary } from '../../model/runSummary.ts';

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
  return code === 0 && summary.verdict === 'conforms' ? '✅' : '⚠&#xFE0F;';
}

function headOf(summary: RunSummary): string {
  const { kit, contract, target, run, search } = summary;
  const held = `${prose(contract.title, 100)} ${prose(contract.version, 40)}`;
  // A search has no intensity: its budget bounds it.
  const effort = search === undefined ? `intensity ${prose(run.intensity, 40)}` : `a search ${budgetText(search)}`;
  const facts = `${effort}, seed ${prose(String(run.seed), 20)}, ${prose(duration(run.durationMs), 20)}`;
  return [
    `## ${signOf(summary)} ${prose(kit.name, 60)}: ${prose(target.kind, 20)} ${code(target.address, 200)}`,
    `**${prose(verdictLine(summary), 2000)}**`,
    `Held against ${held}; ${facts}.`,
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
