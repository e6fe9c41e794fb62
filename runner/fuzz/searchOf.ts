import { resolve } from 'node:path';

import type { Contract } from '../../spec/contract.ts';
import { searchOptions, usualTime, type SearchSettings } from '../options/fuzzOptions.ts';
import { requiredIds, selectChecks } from '../options/selection.ts';
import { fuzzChecks } from './fuzzChecks.ts';
import type { FuzzModel } from './fuzzTarget.ts';
import type { Search } from './fuzzPlan.ts';

/** The settings that say how a search goes about it; all of them have a default. */
export interface SearchWishes extends Partial<SearchSettings> {
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
