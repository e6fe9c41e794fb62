import { jsonReport, type JsonReport } from './json.ts';
import { type MatrixRow, matrixRows } from '../../model/matrixRows.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** Names the JSON Schema of several targets side by side, `matrix.schema.json` in this package. */
export const matrixSchema = 'urn:seaworthy:matrix:1';

/** Several targets side by side, as `matrix.schema.json` describes it. */
export interface JsonMatrix {
  readonly $schema: typeof matrixSchema;
  readonly format: 1;
  /** An outcome for each of the reports, in their order; null where a run does not know the requirement. */
  readonly requirements: readonly (Omit<MatrixRow, 'statement' | 'outcomes'> & {
    readonly outcomes: readonly (MatrixRow['outcomes'][number] | null)[];
  })[];
  readonly reports: readonly JsonReport[];
}

/** Several targets as a JSON value. */
export function matrixJson(summaries: readonly RunSummary[]): JsonMatrix {
  return {
    $schema: matrixSchema,
    format: 1,
    requirements: matrixRows(summaries).map(({ id, level, section, outcomes }) => {
      return { id, level, section, outcomes: outcomes.map((outcome) => outcome ?? null) };
    }),
    reports: summaries.map(jsonReport),
  };
}
