import type { ComparedRequirement, Comparison } from '../../model/comparison.ts';
import { jsonReport, type JsonReport } from './json.ts';
import { regressions } from '../../model/regressions.ts';

/** Names the JSON Schema of a comparison, `comparison.schema.json` in this package. */
export const comparisonSchema = 'urn:seaworthy:comparison:1';

/** Two runs, as `comparison.schema.json` describes it. */
export interface JsonComparison extends Pick<Comparison, 'regressed' | 'checks' | 'slower' | 'cautions'> {
  readonly $schema: typeof comparisonSchema;
  readonly format: 1;
  readonly before: JsonReport;
  readonly after: JsonReport;
  readonly requirements: readonly (Omit<ComparedRequirement, 'statement'> & { readonly regression?: true })[];
}

/** A comparison as a JSON value. */
export function comparisonJson(comparison: Comparison): JsonComparison {
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
