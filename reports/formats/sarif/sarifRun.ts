import { citation } from '../../text/citation.ts';
import type { Invocation, Notification, Run, ReportingDescriptor } from 'sarif';

import { unmetExpectations } from '../../model/expectations.ts';
import { expectationText } from '../../text/expectationText.ts';
import { exitCode } from '../../model/exitCode.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { runProblems } from '../../model/runProblems.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import { visible } from '../../text/visible.ts';
import { sarifResults } from './sarifResults.ts';
import type { CheckResult, RunSummary, RequirementResult } from '../../model/runSummary.ts';

/** One run of the kit as a run of SARIF. */
export function sarifRun(summary: RunSummary, options: ReporterOptions): Run {
  const { kit, target, requirements } = summary;
  return {
    tool: { driver: { name: kit.name, version: kit.version, rules: requirements.map(sarifRule) } },
    automationDetails: { id: `${kit.name}/${target.kind}/${visible(summary.run.id)}` },
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
    invocations: [invocation(summary)],
    columnKind: 'utf16CodeUnits',
    results: [...sarifResults(summary, options)],
    properties: { ...runProperties(summary) },
  };
}

/** What SARIF has no place for, in the words of the JSON report. */
function runProperties(summary: RunSummary): Readonly<Record<string, unknown>> {
  const { target, contract, run, verdict, summary: counts, expectations, pending } = summary;
  return {
    target: { kind: target.kind, address: visible(target.address) },
    contract,
    run,
    verdict,
    verdictSentence: visible(verdictLine(summary)),
    summary: counts,
    ...(pending.length > 0 && { pending }),
    ...(expectations && { expectations }),
    ...(summary.search && { search: summary.search.figures }),
  };
}

/** Successful where the kit did its work, whatever it found. */
function invocation(summary: RunSummary): Invocation {
  const { run, command } = summary;
  const code = exitCode(summary);
  const end = new Date(Date.parse(run.startedAt) + run.durationMs);
  return {
    executionSuccessful: code === 0 || code === 1,
    exitCode: code,
    commandLine: visible(command),
    startTimeUtc: run.startedAt,
    ...(summary.ended && !Number.isNaN(end.getTime()) && { endTimeUtc: end.toISOString() }),
    toolExecutionNotifications: [
      ...problemNotifications(summary),
      ...expectationNotifications(summary),
      ...summary.checks.flatMap(checkNotification),
    ],
  };
}

function problemNotifications(summary: RunSummary): readonly Notification[] {
  return runProblems(summary).map(({ title, text }) => {
    return { level: 'error', message: { text: visible(`${title}\n${text}`, '\n') } };
  });
}

/** An entry of --expect-failures that does not hold breaks no requirement, and still fails the run. */
function expectationNotifications(summary: RunSummary): readonly Notification[] {
  return unmetExpectations(summary).map((entry) => {
    const text = visible(`--expect-failures: ${entry.id}\n${expectationText(entry)}`, '\n');
    return { level: 'error', message: { text }, properties: { expectation: entry.id } };
  });
}

/** A check that says nothing about the target says why. */
function checkNotification({ id, outcome, reason = 'no reason was given' }: CheckResult): readonly Notification[] {
  if (outcome !== 'not-observable' && outcome !== 'inconclusive' && outcome !== 'errored') return [];
  const level = outcome === 'errored' ? 'error' : 'note';
  return [
    { level, message: { text: visible(`${id}: ${outcome}: ${reason}`, '\n') }, properties: { check: id, outcome } },
  ];
}

/** A requirement as a rule. */
function sarifRule({
  id,
  level,
  section,
  statement,
  outcome,
  checks,
  binding,
  reason,
}: RequirementResult): ReportingDescriptor {
  const words = visible(statement, '\n');
  return {
    id,
    shortDescription: { text: words },
    fullDescription: {
      text: `${id}, a ${level.toUpperCase()} of ${visible(citation(section))} of the contract: ${words}`,
    },
    help: {
      text: `${visible(citation(section).replace(/^s/, 'S'))} of the contract: ${words}\nProven by: ${checks.join(', ') || 'no check of this run'}`,
    },
    defaultConfiguration: { level: level === 'must' || binding === true ? 'error' : 'warning' },
    properties: {
      level,
      section,
      outcome,
      ...(reason !== undefined && { reason: visible(reason, '\n') }),
      checks,
      tags: [level, 'contract'],
    },
  };
}
