/** What a test comes by, and how long it takes. */
export interface Reach {
  readonly file: string;
  /** With those of its groups. Empty: what runs when files are loaded. */
  readonly name: string;
  readonly ms: number;
  readonly mutants: readonly number[];
}

/** One {@link Reach} a line, of the tests that passed. */
export const reachFile = '.seaworthy/reach.jsonl';
