import { citation } from './citation.ts';
import { timelineRows, type TimelineRow } from './caseTimeline.ts';
import { repeatCommand, wholeCommand, replayCommand } from '../curl/replayCommand.ts';
import { failuresOf } from '../model/search.ts';
import type { CheckResult, RunSummary, FoundFailure } from '../model/runSummary.ts';
import type { Counterexample } from '../model/exchange.ts';

/** A failure in plain lines, without the exchange: for formats that show text as it is. */
export function failureText(check: CheckResult, summary: RunSummary): string {
  const { counterexample } = check;
  const found = failuresOf(check.id, summary.search);
  if (found.length > 0) return found.map((failure) => foundText(failure, summary)).join('\n\n');
  const repeat = `repeat: ${repeatCommand(check.id, summary.command)}`;
  if (counterexample === undefined) return [check.reason ?? check.title, repeat].join('\n');
  return caseText(counterexample, summary, [], repeat);
}

/** One failing case in plain lines: of a search one sequence, else the check's own. */
export function findingText(
  { check, found }: { readonly check: CheckResult; readonly found?: FoundFailure },
  summary: RunSummary,
): string {
  return found === undefined ? failureText(check, summary) : foundText(found, summary);
}

/** What a search saw of a check that did not come again, each in plain lines. */
export function flakyTexts({ id }: CheckResult, summary: RunSummary): readonly string[] {
  const failures = summary.search?.failures ?? [];
  return failures
    .filter(({ check, outcome }) => check === id && outcome === 'flaky')
    .map((failure) => `flaky: ${foundText(failure, summary)}`);
}

function foundText({ counterexample, steps, found, rate }: FoundFailure, summary: RunSummary): string {
  const sequence = [
    `steps (${steps.length}, shrunk from ${found}):`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    `failed in ${rate.failed} of ${rate.tries} more tries`,
  ];
  return caseText(counterexample, summary, sequence, `repeat the search: ${summary.command}`);
}

function caseText(reported: Counterexample, summary: RunSummary, sequence: readonly string[], repeat: string): string {
  const { requirements, expected, actual, hint, curl, timeline = [], file } = reported;
  const statements = summary.requirements.filter(({ id }) => requirements.includes(id));
  return [
    reported.summary,
    ...statements.flatMap(({ id, level, section, statement, why }) => [
      `${id} (${level.toUpperCase()}, ${citation(section)}): ${statement}`,
      ...(why === undefined ? [] : [`why: ${why}`]),
    ]),
    ...sequence,
    `expected: ${expected}`,
    `actual: ${actual}`,
    `hint: ${hint}`,
    ...(timeline.length === 0 ? [] : ['timeline:', ...timelineRows(timeline).map(rowText)]),
    repeat,
    ...(file === undefined ? [] : [`replay: ${replayCommand(file, summary.command)}`]),
    ...(showsNothing(reported, summary) ? [] : [curl]),
  ].join('\n');
}

/** Whether a counterexample's shell lines are only a command of the kit, which is shown anyway. */
export function showsNothing({ curl, file }: Counterexample, { command }: Pick<RunSummary, 'command'>): boolean {
  if (file !== undefined && curl === replayCommand(file, command)) return true;
  return curl === '' || curl === command || curl.startsWith(`${wholeCommand(command)} --only `);
}

function rowText({ time, text, decisive }: TimelineRow): string {
  return `${time.padStart(10)}  ${decisive ? `== ${text} ==` : text}`;
}
