import { UsageError } from '../errors.ts';
import { didYouMean, nearest } from '../../spec/nearest.ts';

/** Patterns by check id or requirement id, `*` for any characters, case-sensitive. Empty `only` means all. */
export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

interface Selectable {
  readonly id: string;
  readonly requirements: readonly string[];
}

/**
 * The checks that `--only` and `--skip` leave, in their own order. A check is chosen by its id or by any of its
 * requirement ids; `skip` wins.
 *
 * @throws UsageError where a pattern matches nothing (with near matches), or nothing is left
 * @example selectChecks(receiverChecks, { only: ['IDM-*'], skip: ['receiver/load/*'] })
 */
export function selectChecks<Check extends Selectable>(
  checks: readonly Check[],
  { only, skip }: Selection,
): readonly Check[] {
  requireMatches('--only', only, checks);
  requireMatches('--skip', skip, checks);
  const selected = checks.filter((check) => (only.length === 0 || chosen(only, check)) && !chosen(skip, check));
  if (selected.length === 0 && checks.length > 0) throw nothingSelected({ only, skip });
  return selected;
}

/**
 * The checks of a run, and those that `--only` and `--skip` left out of it.
 *
 * @throws UsageError as {@link selectChecks} does
 */
export function dividedChecks<Check extends Selectable>(
  all: readonly Check[],
  selection: Selection,
): { readonly checks: readonly Check[]; readonly leftOut: readonly Check[] } {
  const checks = selectChecks(all, selection);
  return { checks, leftOut: all.filter((check) => !checks.includes(check)) };
}

/**
 * The requirements of these checks that `--require` names.
 *
 * @throws UsageError where a pattern matches none of them
 */
export function requiredIds(
  checks: readonly Pick<Selectable, 'requirements'>[],
  patterns: readonly string[],
): readonly string[] {
  const ids = [...new Set(checks.flatMap(({ requirements }) => requirements))];
  requirePatterns('--require', patterns, ids, {
    valid: 'requirement ids, with * for any characters, in their own case',
    list: 'the same command with --list shows every check with its requirement ids',
  });
  return ids.filter((id) => patterns.some((pattern) => matches(pattern, id)));
}

/** Whether any of the patterns names a check, by its id or by one of its requirement ids. */
export function chosen(patterns: readonly string[], check: Selectable): boolean {
  return patterns.some((pattern) => namesOf(check).some((name) => matches(pattern, name)));
}

function namesOf(check: Selectable): readonly string[] {
  return [check.id, ...check.requirements];
}

function requireMatches(option: string, patterns: readonly string[], checks: readonly Selectable[]): void {
  requirePatterns(option, patterns, checks.flatMap(namesOf), {
    valid: 'check ids and requirement ids, with * for any characters, in their own case',
    list: 'the same command with --list shows every check with its requirement ids',
  });
}

/**
 * Every pattern must match one of the names.
 *
 * @throws UsageError for the first that does not, with near matches
 */
export function requirePatterns(
  option: string,
  patterns: readonly string[],
  names: readonly string[],
  words: { readonly valid: string; readonly list: string },
): void {
  const unmatched = patterns.find((pattern) => !names.some((name) => matches(pattern, name)));
  if (unmatched === undefined) return;
  const suggestion = didYouMean(nearPatterns(unmatched, names));
  throw new UsageError('SW_PATTERN_UNMATCHED', {
    received: `${option} ${unmatched} matches nothing`,
    valid: words.valid,
    next: suggestion === undefined ? words.list : `${suggestion} ${words.list}`,
  });
}

/** Whole names that are near, and the names' own leading parts as patterns ("receiver/signature/*"). */
function nearPatterns(pattern: string, names: readonly string[]): readonly string[] {
  const prefixes = names.flatMap((name) => {
    const end = Math.max(...['/', '-', '.'].map((separator) => name.lastIndexOf(separator)));
    return end > 0 ? [`${name.slice(0, end + 1)}*`] : [];
  });
  const groups = prefixes.filter((prefix) =>
    `/${prefix.slice(0, -2)}`.toLowerCase().endsWith(`/${pattern.toLowerCase()}`),
  );
  if (groups.length > 0) return [...new Set(groups)].slice(0, 3);
  const lastParts = names.filter((name) => name.includes('/') && name.slice(name.lastIndexOf('/') + 1) === pattern);
  return lastParts.length > 0 ? lastParts.slice(0, 3) : nearest(pattern, [...names, ...prefixes]);
}

function nothingSelected({ only, skip }: Selection): UsageError {
  return new UsageError('SW_NOTHING_SELECTED', {
    received: `--skip ${skip.join(' --skip ')} takes away everything${only.length > 0 ? ` that --only ${only.join(' --only ')} chose` : ''}`,
    valid: 'a selection with at least one check',
    next: 'leave out one of the patterns',
  });
}

/**
 * Whether a name matches a pattern in which `*` stands for any characters, `/` and none included. Case-sensitive.
 *
 * @example
 * matches('receiver/signature/*', 'receiver/signature/missing') // true
 */
export function matches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name);
}
