import { wrap } from '../../reports/formats/terminal/wrap.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';

/** Pages that show test results break no lines. */
const columns = 100;

/** A check failed: the target does not keep its contract. */
export class NonConformance extends Error {
  override readonly name = 'NonConformance';
  readonly expected: string;
  readonly actual: string;
  readonly #counterexample: Counterexample;

  constructor(counterexample: Counterexample) {
    const { summary, expected, actual, hint } = counterexample;
    super([...wrap(summary, columns), '', ...wrap(hint, columns)].join('\n'));
    this.#counterexample = counterexample;
    this.expected = expected;
    this.actual = actual;
  }

  /** The ids of the requirements that are broken. */
  get requirements(): readonly string[] {
    return this.#counterexample.requirements;
  }

  /** How targets usually get this wrong, and how to fix it. */
  get hint(): string {
    return this.#counterexample.hint;
  }
}
