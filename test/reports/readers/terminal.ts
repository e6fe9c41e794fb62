import { expect } from 'vitest';

import { isUntested } from '../../../reports/formats/terminal/closing.ts';
import { shownRequirements } from '../../../reports/model/requirementOutcome.ts';
import { leftOutOf, spokenVerdict, type ComparisonFacts, type Facts, type MatrixFacts } from './facts.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** The facts of a run shown to people; of a search it shows fewer, and of a run that tested nothing only why. */
export function readTerminal(text: string, summary: RunSummary): Partial<Facts> {
  const { search } = summary;
  const requirements = shownRequirements(summary);
  const lines = text.split('\n');
  const start = lines.findLastIndex((line) =>
    /^(?:Conforms|Does not conform|Inconclusive|Passed): |^\d[\d,]* failures? found in |^No failure (?:found|confirmed) in /.test(
      line,
    ),
  );
  const sentence = lines.slice(start).join(' ');
  const table = text.slice(text.lastIndexOf('\nRequirements\n'));
  const outcomes = requirements.map(({ id }) => {
    const [, outcome] =
      new RegExp(`${id} (?:MUST|SHOULD|MAY) +(holds|broken|not-observed|inconclusive)`).exec(table) ?? [];
    return `${id} ${outcome}`;
  });
  return {
    ...spokenVerdict(sentence),
    ...(search === undefined && !isUntested(summary) && { counts: countsIn(text), requirements: outcomes }),
    leftOut: leftOutOf(text.replaceAll(/\n(?!Not in |\d+ checks?, |a search )/g, ' ')),
  };
}

/** The facts of two runs compared. */
export function readTerminalComparison(text: string): Partial<ComparisonFacts> {
  const lines = text.replaceAll(/\s+/g, ' ').trim();
  const [, broke] = /A regression: .* broke: (.*) \(exit code 1\)$/.exec(lines) ?? [];
  if (broke !== undefined) return { regressed: true, broke: broke.split(', ') };
  expect(lines).toMatch(/No regression \(exit code 0\)$/);
  return { regressed: false, broke: [] };
}

/** The facts of several targets: the list below the table. */
export function readTerminalMatrix(text: string): Partial<MatrixFacts> {
  const verdicts = text.split(/\n(?=\d+\.  )/).slice(1);
  return {
    targets: verdicts.length,
    exitCodes: verdicts.map((lines) => spokenVerdict(lines.replaceAll(/\s+/g, ' ')).exitCode),
  };
}

function countsIn(text: string): readonly number[] {
  const row = text.slice(text.lastIndexOf('\nChecks '));
  const words = ['passed', 'failed', 'warned', 'not observable', 'inconclusive', 'errored'];
  const reported = row.slice(0, row.indexOf('\nRequirements ')).replaceAll(/\s+/g, ' ');
  return words.map((word) => Number(new RegExp(`(\\d+) ${word}`).exec(reported)?.[1] ?? 0));
}
