import { resolve } from 'node:path';

import type { ServicePlan } from '../service/plan.ts';
import type { ReceiverPlan } from '../receiver/plan.ts';
import type { Contract } from '../../spec/contract.ts';
import { searchOptions, usualTime, type SearchSettings } from '../options/fuzzOptions.ts';
import { requiredIds, selectChecks } from '../options/selection.ts';
import { fuzzChecks } from './fuzzChecks.ts';
import type { FuzzModel } from './fuzzTarget.ts';

/** The settings that say how a search goes about it; all of them have a default. */
interface SearchWishes extends Partial<SearchSettings> {
  readonly bail?: boolean;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly require?: readonly string[];
}

/**
 * How a search goes about it, from its settings.
 *
 * @throws UsageError for patterns that match nothing
 */
export function searchOf(model: FuzzModel, contract: Contract, wishes: SearchWishes): Search {
  const { runs, untilFailure = false, bail = false, only = [], skip = [], require: needed = [] } = wishes;
  const { feedback = searchOptions.feedback.default, corpus = searchOptions.corpus.default } = wishes;
  const time = wishes.time ?? (runs === undefined && !untilFailure ? usualTime : undefined);
  const all = fuzzChecks(model, contract);
  const selected = selectChecks(all, { only, skip });
  return {
    budget: {
      ...(time !== undefined && { time }),
      ...(runs !== undefined && { runs }),
      untilFailure: untilFailure || bail,
    },
    feedback,
    corpus: resolve(corpus),
    required: requiredIds(all, needed),
    ...(only.length + skip.length > 0 && { requirements: selected.flatMap(({ requirements }) => requirements) }),
  };
}

/** When a search is over. Whatever comes first ends it; with none of them it goes on until it is interrupted. */
export interface FuzzBudget {
  /** Milliseconds. */
  readonly time?: number;
  /** Sequences that are tried, those of shrinking and confirming aside. */
  readonly runs?: number;
  /** Ends at the first failure that was confirmed. */
  readonly untilFailure: boolean;
}

/** How a search goes about it. */
export interface Search {
  readonly budget: FuzzBudget;
  /** Whether sequences with new answers are kept and changed further. */
  readonly feedback: boolean;
  /** The folder of the corpus, absolute. */
  readonly corpus: string;
  /** The requirements that must be judged. Default: none. */
  readonly required?: readonly string[];
  /** Takes a line for people about what went wrong beside the search. Default: nobody hears of it. */
  readonly warn?: (line: string) => void;
  /** The requirements that are looked for. Default: all that the model can find broken. */
  readonly requirements?: readonly string[];
}

/** A target of sequences. */
export type FuzzSubject =
  | { readonly subject: 'receiver'; readonly plan: ReceiverPlan }
  | { readonly subject: 'service'; readonly plan: ServicePlan };

/** Everything that a fuzz run depends on. The plan's checks are empty: what is looked for, the model says. */
export type FuzzPlan = Search & FuzzSubject;
