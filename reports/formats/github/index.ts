import { randomUUID } from 'node:crypto';

import { type Format, type Reporter, type ReporterOptions, fromRoot } from '../format.ts';
import type { ReportDocument } from '../../model/document.ts';
import type { Sink } from '../../sink.ts';
import { resumeCommands, stopCommands, workflowCommand, type Annotation } from './workflowCommand.ts';
import { amount, duration } from '../../text/amount.ts';
import { changeTitles, changesToReport, standingWords, verdictLine } from '../../text/verdictWords.ts';
import { type ComparedRequirement, type Comparison, regressions } from '../../model/compareRuns.ts';
import { exitCode } from '../../model/exitCode.ts';
import { unmetExpectations } from '../../model/expectations.ts';
import { expectationText, findingText } from '../../text/failureText.ts';
import { findings, type Finding } from '../../model/findings.ts';
import { byReason, unexplained } from '../../model/unobserved.ts';
import { leftOutTexts } from '../../model/selectionEvents.ts';
import { runProblems } from '../../model/runProblems.ts';
import type { ExpectationResult, RunSummary } from '../../model/runSummary.ts';

/** Annotations of each kind that GitHub shows for a step; further ones are in the log only. */
const shown = 10;

const kinds = {
  broke: 'warning',
  'no-longer-observed': 'warning',
  fixed: 'notice',
  'newly-observed': 'notice',
  added: 'notice',
  removed: 'notice',
  same: 'notice',
} as const;

export const github: Format = {
  summary: 'for GitHub Actions: annotations on standard output, and the summary of the step',
  readers: 'programs',
  file: 'annotations.txt',
  stdout: 'commands',
  documents: ['run', 'comparison', 'matrix'],
  render: githubReport,
  create: createGithubReporter,
};

/**
 * A report as workflow commands of GitHub Actions, one a line: errors, warnings and notices that point to the file of
 * the failing case, or to the config file.
 */
function githubReport(document: ReportDocument, options: ReporterOptions = {}): string {
  return mostFirst(annotationsOf(document, options))
    .map((annotation) => `${workflowCommand(annotation)}\n`)
    .join('');
}

/**
 * Writes the annotations when the run is over. While it lasts, it has GitHub take all lines of the log for plain
 * text: what a target answers may look like a command, and a report for people shows it on the same output. No target
 * can know the word that ends this.
 */
function createGithubReporter(sink: Sink, options: ReporterOptions = {}): Reporter {
  let token: string | undefined;
  const resume = (): void => {
    if (token !== undefined) sink.write(`${resumeCommands(token)}\n`);
  };
  return {
    onEvent(event) {
      if (event.type !== 'run.started' || options.path !== undefined) return;
      token = randomUUID();
      sink.write(`${stopCommands(token)}\n`);
    },
    end(summary) {
      resume();
      sink.write(githubReport({ kind: 'run', summary }, options));
    },
    leave: resume,
  };
}

function annotationsOf(document: ReportDocument, options: ReporterOptions): readonly Annotation[] {
  switch (document.kind) {
    case 'run':
      return runAnnotations(document.summary, options);
    case 'comparison':
      return comparisonAnnotations(document.comparison);
    case 'matrix':
      return document.summaries.map(verdictAnnotation);
  }
}

/**
 * The annotations kind by kind, each kind in its order. Where there are more of a kind than GitHub shows, the last one
 * that it shows says how many more there are.
 */
function mostFirst(annotations: readonly Annotation[]): readonly Annotation[] {
  return (['error', 'warning', 'notice'] as const).flatMap((kind) => {
    const mine = annotations.filter((annotation) => annotation.kind === kind);
    if (mine.length <= shown) return mine;
    const more = amount(mine.length - shown + 1, `more ${kind}`);
    const message = `GitHub shows ${shown} of each kind. All of them are in the log of this step, and in its summary.`;
    return [...mine.slice(0, shown - 1), { kind, title: more, message }, ...mine.slice(shown - 1)];
  });
}

/** What changed from one run to the other: what broke and counts is an error, what else broke, became slower or is unobserved a warning. */
function comparisonAnnotations(comparison: Comparison): readonly Annotation[] {
  const { before, after, regressed, requirements, slower, cautions } = comparison;
  const changed = changesToReport.flatMap((change) => requirements.filter((row) => row.change === change));
  const counting = new Set(regressions(comparison));
  const verdict = `Before: ${verdictLine(before)}\nAfter: ${verdictLine(after)}`;
  return [
    { kind: 'notice', title: `${after.kit.name}: ${regressed ? 'a regression' : 'no regression'}`, message: verdict },
    ...changed.map((row) => changeAnnotation(row, counting.has(row))),
    ...slower.map(({ what, before: was, after: is }): Annotation => {
      return { kind: 'warning', title: `Slower: ${what}`, message: `${duration(was)} before, ${duration(is)} after` };
    }),
    ...cautions.map((caution): Annotation => ({ kind: 'notice', title: 'Before you compare', message: caution })),
  ];
}

function changeAnnotation(row: ComparedRequirement, counts: boolean): Annotation {
  const { id, change, before, after, statement } = row;
  const message = `${standingWords(before)} before, ${standingWords(after)} after\n${statement}`;
  return { kind: counts ? 'error' : kinds[change], title: `${changeTitles[change]}: ${id}`, message };
}

/** What a run says, the verdict first, then the gravest of each kind. */
function runAnnotations(summary: RunSummary, options: ReporterOptions): readonly Annotation[] {
  const config = options.config === undefined ? {} : { file: fromRoot(options.config, options) };
  return [
    { ...verdictAnnotation(summary), ...config },
    ...runProblems(summary).map(({ title, text }) => error(title, text, config)),
    ...unmetExpectations(summary).map((entry) => expectationAnnotation(entry, config)),
    ...findings(summary).map((finding) => findingAnnotation(finding, summary, options, config)),
    ...unobserved(summary).map((annotation) => ({ ...annotation, ...config })),
  ];
}

/** The verdict of a run in one annotation: an error where it does not conform, else a notice. */
function verdictAnnotation(summary: RunSummary): Annotation {
  const { kit, contract, target, summary: counts } = summary;
  const { passed, failed, warned, notObservable, inconclusive, errored } = counts;
  const reported = `${passed} passed, ${failed} failed, ${warned} warned, ${notObservable} not observable, ${inconclusive} inconclusive, ${errored} errored`;
  const message = [verdictLine(summary), `Checks: ${reported}`, ...leftOutTexts(contract)].join('\n');
  const kind = exitCode(summary) === 0 ? 'notice' : 'error';
  return { kind, title: `${kit.name}: ${target.kind} ${target.address}`, message };
}

/** Where a finding is shown: beside its saved case, or beside the config file. */
type Place = Pick<Annotation, 'file'>;

function findingAnnotation(finding: Finding, summary: RunSummary, options: ReporterOptions, config: Place): Annotation {
  const { check, weight, broken, expected = [], counterexample } = finding;
  const ids = broken.map(({ id }) => id).join(' ');
  const reasons = expected.map(({ reason }) => `expected to fail: ${reason}`);
  const text = [...reasons, findingText(finding, summary)].join('\n');
  const place = counterexample?.file === undefined ? config : { file: fromRoot(counterexample.file, options) };
  const what = weight === 'flaky' ? 'did not come again' : 'broken';
  return {
    kind: kindOf(finding),
    title: [ids, `${what}: ${check.id}`].filter(Boolean).join(' '),
    message: short(text),
    ...place,
  };
}

function kindOf({ weight, expected }: Finding): Annotation['kind'] {
  if (expected !== undefined) return 'notice';
  return weight === 'failure' ? 'error' : 'warning';
}

function expectationAnnotation(entry: ExpectationResult, config: Place): Annotation {
  return error(`--expect-failures: ${entry.id}`, expectationText(entry), config);
}

/** One notice for each reason, which says what would make it observable. */
function unobserved(summary: RunSummary): readonly Annotation[] {
  const { checks } = summary;
  const ofChecks = (['not-observable', 'inconclusive'] as const).flatMap((outcome) =>
    byReason(checks, outcome).map((group) => {
      const what = outcome === 'inconclusive' ? outcome : 'not observed';
      return notice(amount(group.checks.length, 'check'), `${what}: ${group.reason}`, idsOf(group.checks));
    }),
  );
  const rest = [...Map.groupBy(unexplained(summary), ({ reason }) => reason)].map(([reason, rows]) =>
    notice(amount(rows.length, 'requirement'), `undecided: ${reason}`, idsOf(rows)),
  );
  return [...ofChecks, ...rest];
}

function notice(which: string, why: string, ids: readonly string[]): Annotation {
  return { kind: 'notice', title: `${which} ${why}`.slice(0, 250), message: short([why, ...ids].join('\n')) };
}

function idsOf(members: readonly { readonly id: string }[]): readonly string[] {
  return members.map(({ id }) => id);
}

function error(title: string, message: string, place: Place): Annotation {
  return { kind: 'error', title, message: short(message === '' ? title : message), ...place };
}

/** An annotation is for a glance; the summary of the step has the rest. */
function short(text: string): string {
  return text.length <= 4000 ? text : `${text.slice(0, 4000)}…`;
}
