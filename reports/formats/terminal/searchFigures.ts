import type { FuzzFigures, ReportedSearch } from '../../model/fuzz.ts';
import { amount, duration, grouped } from '../../text/amount.ts';

/**
 * Where a search stands, on one line, the most telling first, for the end may be cut off.
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
