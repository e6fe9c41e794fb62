import { createHash } from 'node:crypto';

import type { Invocation, Notification, Run, ReportingDescriptor, PhysicalLocation, Result } from 'sarif';

import { fullCitation } from '../../text/citation.ts';
import { unmetExpectations } from '../../model/expectations.ts';
import { expectationText, findingText } from '../../text/failureText.ts';
import { exitCode } from '../../model/exitCode.ts';
import { type ReporterOptions, fromRoot } from '../format.ts';
import { leftOutTexts } from '../../model/selectionEvents.ts';
import { runProblems } from '../../model/runProblems.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import { visible } from '../../text/visible.ts';
import type { CheckResult, RunSummary, RequirementResult } from '../../model/runSummary.ts';
import { findings, type Finding } from '../../model/findings.ts';

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
      ...leftOutNotification(summary),
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

/** The checks about these did not run, and have no notification of their own. */
function leftOutNotification({ contract }: RunSummary): readonly Notification[] {
  return leftOutTexts(contract).map((text) => {
    return { level: 'note', message: { text: visible(text) }, properties: { leftOut: contract.leftOut } };
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
  why,
  outcome,
  checks,
  binding,
  reason,
}: RequirementResult): ReportingDescriptor {
  const words = visible(statement, '\n');
  const reasons = why === undefined ? '' : ` ${visible(why, '\n')}`;
  return {
    id,
    shortDescription: { text: words },
    fullDescription: {
      text: `${id}, a ${level.toUpperCase()} of ${visible(fullCitation(section))}: ${words}`,
    },
    help: {
      text: `${visible(fullCitation(section).replace(/^[st]/, (first) => first.toUpperCase()))}: ${words}${reasons}\nProven by: ${checks.join(', ') || 'no check of this run'}`,
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

/** A result for each requirement that a failing case breaks; a case that breaks none (it did not come again) has one. */
export function sarifResults(summary: RunSummary, options: ReporterOptions): readonly Result[] {
  return findings(summary).flatMap((finding) => {
    const { check, broken, counterexample: { requirements = [] } = {} } = finding;
    if (broken.length > 0) return broken.map(({ id }) => resultOf(id, finding, summary, options));
    const known = [...requirements, ...check.requirements].find((id) =>
      summary.requirements.some((row) => row.id === id),
    );
    return known === undefined ? [] : [resultOf(known, finding, summary, options)];
  });
}

function resultOf(ruleId: string, finding: Finding, summary: RunSummary, options: ReporterOptions): Result {
  const { check, weight, counterexample, found, expected } = finding;
  const { seed = summary.run.seed, path } = counterexample ?? {};
  return {
    ruleId,
    ruleIndex: summary.requirements.findIndex(({ id }) => id === ruleId),
    level: levels[weight],
    message: { text: visible(findingText(finding, summary), '\n') },
    ...placeOf(finding, options),
    partialFingerprints: fingerprints(`${check.id} ${ruleId} ${found?.cause ?? ''}`),
    ...(expected && {
      suppressions: expected.map(({ reason }) => {
        return { kind: 'external' as const, status: 'accepted' as const, justification: visible(reason, '\n') };
      }),
    }),
    properties: {
      check: check.id,
      outcome: check.outcome,
      weight,
      seed,
      ...(path !== undefined && { path }),
      ...(found && { steps: found.steps.map((step) => visible(step)), rate: found.rate }),
    },
  };
}

const levels = { failure: 'error', warning: 'warning', flaky: 'note' } as const satisfies Record<
  Finding['weight'],
  Result.level
>;

/** The same for the same failure of another run. Code scanning of GitHub reads the second one only. */
function fingerprints(identity: string): Record<string, string> {
  const hash = createHash('sha256').update(identity.toWellFormed()).digest('hex').slice(0, 16);
  return { 'seaworthy/v1': hash, primaryLocationLineHash: `${hash}:1` };
}

/** The config file, which stays the same from run to run; else the saved case; else the journal. */
function placeOf(
  { check, counterexample }: Finding,
  options: ReporterOptions,
): Pick<Result, 'locations' | 'relatedLocations'> {
  const saved = counterexample?.file;
  const file = options.config ?? saved ?? options.journal;
  const logicalLocations = [{ fullyQualifiedName: check.id, kind: 'function' }];
  const physical = file === undefined ? {} : { physicalLocation: physicalLocation(file, options) };
  const related =
    saved === undefined || saved === file
      ? []
      : [{ physicalLocation: physicalLocation(saved, options), message: { text: 'The saved case, to be replayed.' } }];
  return { locations: [{ ...physical, logicalLocations }], ...(related.length > 0 && { relatedLocations: related }) };
}

function physicalLocation(file: string, options: ReporterOptions): PhysicalLocation {
  return { artifactLocation: artifact(fromRoot(file, options)), region: { startLine: 1 } };
}

/** A path as a URI: relative to the root of the repository, or absolute. */
function artifact(path: string): { readonly uri: string; readonly uriBaseId?: string } {
  const uri = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  if (path.startsWith('/')) return { uri: `file://${uri}` };
  if (/^[a-z]:\//i.test(path)) return { uri: `file:///${uri}` };
  return { uri, uriBaseId: '%SRCROOT%' };
}
