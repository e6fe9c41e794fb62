import { timelineRows, type TimelineRow } from './caseTimeline.ts';
import { repeatCommand } from './repeatCommand.ts';
import { replayCommand } from './replayCommand.ts';
import type { CheckResult, RunSummary } from './summary.ts';

/** A failure in plain lines, without the exchange: for formats that show text as it is. */
export function failureText(check: CheckResult, summary: RunSummary): string {
  const { counterexample } = check;
  const repeat = `repeat: ${repeatCommand(check.id, summary.command)}`;
  if (counterexample === undefined) return [check.reason ?? check.title, repeat].join('\n');
  const { requirements, expected, actual, hint, curl, timeline = [], file } = counterexample;
  const statements = summary.requirements.filter(({ id }) => requirements.includes(id));
  return [
    counterexample.summary,
    ...statements.map(
      ({ id, level, section, statement }) => `${id} (${level.toUpperCase()}, section ${section}): ${statement}`,
    ),
    `expected: ${expected}`,
    `actual: ${actual}`,
    `hint: ${hint}`,
    ...(timeline.length === 0 ? [] : ['timeline:', ...timelineRows(timeline).map(rowText)]),
    repeat,
    ...(file === undefined ? [] : [`replay: ${replayCommand(file, summary.command)}`]),
    ...(curl === repeatCommand(check.id, summary.command) ? [] : [curl]),
  ].join('\n');
}

function rowText({ time, text, decisive }: TimelineRow): string {
  return `${time.padStart(10)}  ${decisive ? `== ${text} ==` : text}`;
}
