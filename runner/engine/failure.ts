import type { GeneratedCase } from './cases.ts';

/** What every finding tells a property. */
export interface Found {
  readonly requirements: readonly string[];
  /** It may have been chance, and must recur. */
  readonly absence: boolean;
  readonly actual: string;
  /** True where the target died of the case, and nobody had asked for that. */
  readonly died?: true;
}

/** A case that shows a requirement broken. */
export interface Failure<F> {
  readonly case: GeneratedCase;
  readonly finding: F;
}
