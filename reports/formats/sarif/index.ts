import type { Log, Result, Run } from 'sarif';

import { atEnd, type Format, type ReporterOptions } from '../format.ts';
import type { ReportDocument } from '../../model/document.ts';
import { jsonText } from '../../text/jsonText.ts';
import { sarifRun, sarifResults } from './sarifRun.ts';
import type { Comparison } from '../../model/compareRuns.ts';

export const sarif: Format = {
  summary: 'for code scanning: SARIF 2.1.0, a rule for each requirement, a result for each that is broken',
  readers: 'programs',
  file: 'seaworthy.sarif',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: renderSarif,
  create: atEnd(renderSarif),
};

/**
 * A report as SARIF 2.1.0, which code scanning reads: a rule for each requirement, a result for each requirement that a
 * failing case breaks. Of two runs the later one, each result marked as new, unchanged or absent; of several targets a
 * run each.
 *
 * @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
function sarifLog(document: ReportDocument, options: ReporterOptions = {}): Log {
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: runsOf(document, options),
  };
}

/** The log as text, indented by two spaces. */
function renderSarif(document: ReportDocument, options?: ReporterOptions): string {
  return jsonText(sarifLog(document, options));
}

function runsOf(document: ReportDocument, options: ReporterOptions): Log['runs'] {
  switch (document.kind) {
    case 'run':
      return [sarifRun(document.summary, options)];
    case 'comparison':
      return [comparisonRun(document.comparison, options)];
    case 'matrix':
      return document.summaries.map((summary) => sarifRun(summary, options));
  }
}

/**
 * The later of two runs, each result with its state beside the earlier one; what only the earlier one shows is there as
 * `absent`.
 */
function comparisonRun({ before, after, regressed, cautions, slower }: Comparison, options: ReporterOptions): Run {
  const run = sarifRun(after, options);
  const earlier = sarifResults(before, options);
  const known = new Set(earlier.map(identityOf));
  const later = run.results ?? [];
  const still = new Set(later.map(identityOf));
  const rules = run.tool.driver.rules ?? [];
  return {
    ...run,
    results: [
      ...later.map(
        (result) => ({ ...result, baselineState: known.has(identityOf(result)) ? 'unchanged' : 'new' }) as const,
      ),
      ...earlier.filter((result) => !still.has(identityOf(result))).map((result) => absent(result, rules)),
    ],
    properties: { ...run.properties, regressed, cautions, slower, before: before.run },
  };
}

function identityOf({ partialFingerprints }: Result): string {
  return JSON.stringify(partialFingerprints);
}

/** A rule that the later run does not know has no index there. */
function absent(result: Result, rules: readonly { readonly id: string }[]): Result {
  const { ruleIndex, ...rest } = result;
  const index = rules.findIndex(({ id }) => id === result.ruleId);
  return { ...rest, ...(ruleIndex !== undefined && index >= 0 && { ruleIndex: index }), baselineState: 'absent' };
}
