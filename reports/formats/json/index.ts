import { atEnd, type Format } from '../format.ts';
import { type ReportDocument, type MatrixRow, matrixRows } from '../../model/document.ts';
import { jsonReport, type JsonReport } from './jsonReport.ts';
import { jsonText } from '../../text/jsonText.ts';
import type { RunSummary } from '../../model/runSummary.ts';
import { type ComparedRequirement, type Comparison, regressions } from '../../model/compareRuns.ts';

/** Names the JSON Schema of several targets side by side, `matrix.schema.json` in this package. */
const matrixSchema = 'urn:seaworthy:matrix:1';

/** Names the JSON Schema of a comparison, `comparison.schema.json` in this package. */
const comparisonSchema = 'urn:seaworthy:comparison:1';

export const json: Format = {
  summary: 'for programs of your own: everything, as a published schema describes it',
  readers: 'programs',
  file: 'report.json',
  stdout: 'document',
  documents: ['run', 'comparison', 'matrix'],
  render: renderJson,
  create: atEnd(renderJson),
};

/** A report as JSON, indented by two spaces. */
function renderJson(document: ReportDocument): string {
  return jsonText(jsonOf(document));
}

function jsonOf(document: ReportDocument): unknown {
  switch (document.kind) {
    case 'run':
      return jsonReport(document.summary);
    case 'comparison':
      return comparisonJson(document.comparison);
    case 'matrix':
      return matrixJson(document.summaries);
  }
}

/** Several targets side by side, as `matrix.schema.json` describes it. */
interface JsonMatrix {
  readonly $schema: typeof matrixSchema;
  readonly format: 1;
  /** An outcome for each of the reports, in their order; null where a run does not know the requirement. */
  readonly requirements: readonly (Omit<MatrixRow, 'statement' | 'outcomes' | 'signed'> & {
    readonly outcomes: readonly (MatrixRow['outcomes'][number] | null)[];
  })[];
  readonly reports: readonly JsonReport[];
}

/** Several targets as a JSON value. */
function matrixJson(summaries: readonly RunSummary[]): JsonMatrix {
  return {
    $schema: matrixSchema,
    format: 1,
    requirements: matrixRows(summaries).map(({ id, level, section, outcomes }) => {
      return { id, level, section, outcomes: outcomes.map((outcome) => outcome ?? null) };
    }),
    reports: summaries.map(jsonReport),
  };
}

/** Two runs, as `comparison.schema.json` describes it. */
interface JsonComparison extends Pick<Comparison, 'regressed' | 'checks' | 'slower' | 'cautions'> {
  readonly $schema: typeof comparisonSchema;
  readonly format: 1;
  readonly before: JsonReport;
  readonly after: JsonReport;
  readonly requirements: readonly (Omit<ComparedRequirement, 'statement'> & { readonly regression?: true })[];
}

/** A comparison as a JSON value. */
function comparisonJson(comparison: Comparison): JsonComparison {
  const { before, after, regressed, requirements, checks, slower, cautions } = comparison;
  const counting = new Set(regressions(comparison));
  return {
    $schema: comparisonSchema,
    format: 1,
    regressed,
    requirements: requirements.map((row) => ({
      ...withoutStatement(row),
      ...(counting.has(row) && { regression: true }),
    })),
    checks,
    slower,
    cautions,
    before: jsonReport(before),
    after: jsonReport(after),
  };
}

/** The statements stand in the two reports. */
function withoutStatement(row: ComparedRequirement): Omit<ComparedRequirement, 'statement'> {
  const { id, section, level, before, after, change } = row;
  return { id, section, level, before, after, change };
}
