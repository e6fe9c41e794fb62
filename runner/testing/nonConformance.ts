import type { Counterexample } from '../../reports/model/exchange.ts';

/** A check failed: the target does not keep its contract. */
export class NonConformance extends Error {
  override readonly name = 'NonConformance';
  /** The ids of the requirements that are broken. */
  readonly requirements: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** How targets usually get this wrong, and how to fix it. */
  readonly hint: string;

  constructor({ summary, requirements, expected, actual, hint }: Counterexample) {
    super(`${summary}\n\n${hint}`);
    this.requirements = requirements;
    this.expected = expected;
    this.actual = actual;
    this.hint = hint;
  }
}
