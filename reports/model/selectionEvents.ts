/** An entry of `--expect-failures`: what is known to fail, and why. */
export interface Expectation {
  /** A requirement or a check. */
  readonly id: string;
  readonly reason: string;
  /** The last day on which it counts: `2027-01-31`. */
  readonly expires?: string;
  readonly link?: string;
}

/** One of the parts of a run (`--shard 2/3`), counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** A run that another one goes on with. */
export interface Resumed {
  readonly id: string;
  readonly at: string;
}

/** A check that the suite has and a run was not given. */
export interface LeftOutCheck {
  readonly id: string;
  readonly requirements: readonly string[];
  /** The part of the run that has it (`--shard`). Default: none, `--only` or `--skip` left it out. */
  readonly part?: number;
}

/** The contract that a target is tested against. Journals of earlier versions have its title and version alone. */
export interface ReportedContract {
  readonly title: string;
  readonly version: string;
  /** Where its provider says so: a page or a document. */
  readonly source?: string;
  /** What `--contract` calls it. */
  readonly name?: string;
  /** Of all its texts. */
  readonly digest?: string;
  /** What it leaves open, as far as it is numbered. Journals of earlier versions do not have it. */
  readonly gaps?: readonly { readonly id: string; readonly statement: string }[];
  /** What it has not, in a few words each: checks about these do not run. Default: nothing. */
  readonly leftOut?: readonly string[];
}

/** What the contract leaves out, as a sentence without its stop; none where it leaves out nothing. */
export function leftOutTexts({ leftOut = [] }: ReportedContract): readonly string[] {
  return leftOut.length === 0 ? [] : [`Not in this contract, so not tested: ${leftOut.join(', ')}`];
}
