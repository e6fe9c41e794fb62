import type { CheckResult, FoundFailure } from '../model/runSummary.ts';

/** The time that a run was given, in as few words as it takes: `5 min`, `2 min 30 s`, `90 ms`. */
export function timeLimitText(ms: number): string {
  return duration(ms)
    .replace(/ 0 s$/, '')
    .replace(/\.0 s$/, ' s');
}

/**
 * Whether a sequence that was found is the smallest that fails, and in what it was found.
 *
 * @returns nothing where there is nothing to say: it was reported as it was found
 * @example 'the smallest that fails; found in one of 14 steps'
 */
export function sizeText({ steps, found, cut }: Pick<FoundFailure, 'steps' | 'found' | 'cut'>): string | undefined {
  const isShorter = found > steps.length;
  if (!isShorter && cut === undefined) return undefined;
  const smallest = cut ? 'a smaller one may fail as well: there was no time to try all' : 'the smallest that fails';
  return isShorter ? `${smallest}; found in one of ${amount(found, 'step')}` : smallest;
}

/** How often a failure came again, in words. @example 'failed in 5 of 5 more tries' */
export function rateText({ failed, tries }: FoundFailure['rate']): string {
  return tries === 0 ? 'not tried again' : `failed in ${failed} of ${amount(tries, 'more try', 'more tries')}`;
}

/** What it was tried again beside. @example 'beside 2 other sequences' */
export function besideText(others = 0): string {
  return others === 0 ? 'alone' : `beside ${amount(others, 'other sequence')}`;
}

/** How many cases of a check were tried. @example '36 cases', '12 of 36 cases' */
export function casesText({ cases, planned }: Pick<CheckResult, 'cases' | 'planned'>): string {
  return planned === undefined ? amount(cases, 'case') : `${grouped(cases)} of ${amount(planned, 'case')}`;
}

/** A count with its noun: `1 check`, `1,234 deliveries`. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Digits in groups of three: `12,345`. Loading what knows the customs of a language would take longer than a short report. */
export function grouped(count: number): string {
  return Math.round(count)
    .toFixed(0)
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A duration as people say it: `340 ms`, `8.4 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
