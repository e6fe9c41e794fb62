import type { Comparison } from './comparison.ts';
import type { RunSummary } from './runSummary.ts';

/** One run, or the shards of one, merged. */
export interface RunDocument {
  readonly kind: 'run';
  readonly summary: RunSummary;
}

/** What a report is about: one run (or the shards of one, merged), two runs compared, or several targets side by side. */
export type ReportDocument =
  | RunDocument
  | { readonly kind: 'comparison'; readonly comparison: Comparison }
  | { readonly kind: 'matrix'; readonly summaries: readonly RunSummary[] };
