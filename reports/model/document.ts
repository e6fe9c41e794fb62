import type { Comparison } from './compareRuns.ts';
import type { RunSummary, RequirementResult, RequirementOutcome } from './runSummary.ts';
import { signedOutcome } from './verdict.ts';

/** One run, or the shards of one, merged. */
export interface RunDocument {
  readonly kind: 'run';
  readonly summary: RunSummary;
  /** What there is to know of the requirements that are broken. Default: reports name the command that says it. */
  readonly explained?: Explanations;
}

/** What a report is about: one run (or the shards of one, merged), two runs compared, or several targets side by side. */
export type ReportDocument =
  | RunDocument
  | { readonly kind: 'comparison'; readonly comparison: Comparison }
  | { readonly kind: 'matrix'; readonly summaries: readonly RunSummary[] };

/** A requirement beside its outcome at each of several targets. */
export interface MatrixRow extends Pick<RequirementResult, 'id' | 'level' | 'section' | 'statement'> {
  /** In the order of the targets; nothing where a target's run does not know the requirement. */
  readonly outcomes: readonly (RequirementOutcome | undefined)[];
  /** The same, by the sign that each has in lists. */
  readonly signed: readonly (ReturnType<typeof signedOutcome> | undefined)[];
}

/** Every requirement of any of these runs, in the order in which the runs name them first. */
export function matrixRows(summaries: readonly RunSummary[]): readonly MatrixRow[] {
  const byId = summaries.map(({ requirements, run }) => ({
    results: new Map(requirements.map((row) => [row.id, row])),
    signOf: (row?: RequirementResult) => row && signedOutcome(row, run.strict),
  }));
  const rows = new Map<string, RequirementResult>();
  for (const row of summaries.flatMap(({ requirements }) => requirements)) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()].map(({ id, level, section, statement }) => {
    return {
      id,
      level,
      section,
      statement,
      outcomes: byId.map(({ results }) => results.get(id)?.outcome),
      signed: byId.map(({ results, signOf }) => signOf(results.get(id))),
    };
  });
}

/** What is said of an id: a title, and headings with the texts below each. */
export interface Explained {
  readonly title: string;
  readonly parts: readonly (readonly [heading: string, texts: readonly string[]])[];
}

/** What is said of requirements, by their ids. */
export type Explanations = Readonly<Record<string, Explained>>;
