import type { RunSummary, RequirementOutcome } from './runSummary.ts';
import { unexpectedlyBroken } from './verdict.ts';

/** The requirements that broke and count: each of them makes a comparison fail. */
export function regressions({ requirements, after }: Comparison): readonly ComparedRequirement[] {
  const counting = new Set(unexpectedlyBroken(after).map(({ id }) => id));
  return requirements.filter(({ id, change }) => change === 'broke' && counting.has(id));
}

/**
 * How a requirement or a check stands in the later run beside the earlier one. `broke`: it held or was not observed, and is
 * broken now. `mended`: the other way round. `newly-observed`: it was not observed, and holds. `no-longer-observed`: it held or
 * was broken, and is not observed now. `added` and `removed`: only one of the runs knows it.
 */
export type Change = 'broke' | 'mended' | 'newly-observed' | 'no-longer-observed' | 'added' | 'removed' | 'same';

/** A requirement in two runs. */
export interface ComparedRequirement {
  readonly id: string;
  readonly section: string;
  readonly level: RunSummary['requirements'][number]['level'];
  readonly statement: string;
  readonly before: RequirementOutcome | undefined;
  readonly after: RequirementOutcome | undefined;
  readonly change: Change;
}

/** A check in two runs. */
export interface ComparedCheck {
  readonly id: string;
  readonly title: string;
  readonly before: RunSummary['checks'][number]['outcome'] | undefined;
  readonly after: RunSummary['checks'][number]['outcome'] | undefined;
  readonly change: Change;
}

/** A figure that grew by more than chance explains: answers that became slower, to the check in the middle. Milliseconds. */
export interface Slower {
  readonly what: string;
  readonly before: number;
  readonly after: number;
}

/** Two runs, the earlier one first. */
export interface Comparison {
  readonly before: RunSummary;
  readonly after: RunSummary;
  readonly requirements: readonly ComparedRequirement[];
  readonly checks: readonly ComparedCheck[];
  readonly slower: readonly Slower[];
  /** What a reader should know before comparing: other contracts, seeds, intensities, incomplete runs. */
  readonly cautions: readonly string[];
  /** True where a requirement that counts (as for the exit code) broke: exit 1. */
  readonly regressed: boolean;
}
