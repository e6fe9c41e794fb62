import { amount, duration, grouped } from '../text/amount.ts';
import type { FuzzFigures, ReportedSearch } from './fuzz.ts';
import type { FoundFailure, SearchResult } from './runSummary.ts';
import type { Seen } from './seen.ts';

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

/**
 * Failures that a search saw and that count as nothing, in words: those that did not come again, those that it had no time
 * to try again, and those that it was at when it was killed.
 *
 * @example ['1 that did not come again', '4 that were being shrunk when the run was killed']
 */
export function doubtfulFailures(search: SearchResult): readonly string[] {
  const flaky = search.failures.filter(({ outcome }) => outcome === 'flaky');
  const untried = flaky.filter(({ rate }) => rate.tries === 0).length;
  const { shrinking = 0 } = search.figures;
  const reported = [
    [flaky.length - untried, 'that did not come again'],
    [untried, `that ${was(untried)} seen and not tried again`],
    [shrinking, `that ${was(shrinking)} being shrunk when the run was killed`],
  ] as const;
  return reported.flatMap(([count, what]) => (count > 0 ? [`${grouped(count)} ${what}`] : []));
}

/** How many failures a search saw and could not report, for it came to its end, or was killed, before. */
export function unsettledFailures({ failures, figures }: SearchResult): number {
  return (
    failures.filter(({ outcome, rate }) => outcome === 'flaky' && rate.tries === 0).length + (figures.shrinking ?? 0)
  );
}

/** All that a search found. @example '2 of different causes, and 1 that did not come again' */
export function searchFindings(search: SearchResult): string {
  const { failures } = search.figures;
  const sure = failures === 0 ? [] : [`${grouped(failures)}${failures === 1 ? '' : ' of different causes'}`];
  const all = [...sure, ...doubtfulFailures(search)];
  return all.length === 0 ? 'none' : listed(all);
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}

function was(count: number): string {
  return count === 1 ? 'was' : 'were';
}

/**
 * Where a search stands, on one line, the most important first, for the end may be cut off.
 *
 * @param ms - since the run began
 * @example '1,204 sequences (96/s), 1 failure, 48 s left, 31 distinct answers, corpus 44'
 */
export function searchFigures(figures: FuzzFigures, ms: number, search: ReportedSearch): string {
  const { cases, distinct, corpus, failures, flaky, shrinking = 0 } = figures;
  return [
    `${amount(cases, 'sequence')} (${grouped(ms > 0 ? (cases * 1000) / ms : 0)}/s)`,
    amount(failures, 'failure'),
    ...(shrinking > 0 ? [`${grouped(shrinking)} being shrunk`] : []),
    ...(flaky > 0 ? [`${grouped(flaky)} flaky`] : []),
    ...left(cases, ms, search),
    amount(distinct, 'distinct answer'),
    `corpus ${grouped(corpus)}`,
  ].join(', ');
}

function left(cases: number, ms: number, { time, runs }: ReportedSearch): readonly string[] {
  return [
    ...(runs === undefined ? [] : [`${grouped(Math.max(0, runs - cases))} to go`]),
    ...(time === undefined ? [] : [time > ms ? `${wholeSeconds(time - ms)} left` : 'time is up']),
  ];
}

function wholeSeconds(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** What ends a search, in words: `for 1 min 0 s`, `for 500 sequences, until the first failure`. */
export function budgetText({ time, runs, untilFailure }: ReportedSearch): string {
  const bounds = [
    ...(time === undefined ? [] : [`for ${duration(time)}`]),
    ...(runs === undefined ? [] : [`for ${amount(runs, 'sequence')}`]),
    ...(untilFailure ? ['until the first failure'] : []),
  ];
  return bounds.length === 0 ? 'until it is interrupted' : bounds.join(' or ');
}
