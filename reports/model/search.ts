import type { FuzzFigures } from './fuzz.ts';
import type { Seen } from './seen.ts';
import type { FoundFailure, SearchResult } from './runSummary.ts';

const none: FuzzFigures = { cases: 0, steps: 0, distinct: 0, corpus: 0, failures: 0, flaky: 0, memory: 0 };

/** What the events of a run say about its search; nothing where it is no search. */
export function searchResult({ started, figures, found, finished, reportedBefore }: Seen): SearchResult | undefined {
  if (started?.search === undefined) return undefined;
  const { type: _, ms: __, shrinking = 0, ...last } = figures ?? { type: '', ms: 0, ...none };
  const failures = found.filter(({ outcome }) => outcome === 'failed').length;
  // What a search that came to its end was shrinking, it has reported, or its checks say why not.
  const open = finished === undefined ? Math.max(0, shrinking - (found.length - reportedBefore)) : 0;
  return {
    ...started.search,
    figures: { ...last, failures, flaky: found.length - failures, ...(open > 0 && { shrinking: open }) },
    failures: found.map(({ type: ___, ...failure }) => failure),
  };
}

/** The failures of one check that count, the one with the fewest steps first. */
export function failuresOf(check: string, search: Pick<SearchResult, 'failures'> | undefined): readonly FoundFailure[] {
  return (search?.failures ?? [])
    .filter((failure) => failure.check === check && failure.outcome === 'failed')
    .toSorted((a, b) => a.steps.length - b.steps.length);
}
