import type { Filters } from './route.ts';

/** What a row can be found by. */
export interface Filterable {
  readonly outcomes: readonly string[];
  readonly level: string;
  /** What it is about: the family of its id, or the kind of target. */
  readonly subjects: readonly string[];
  readonly text: string;
}

/** Whether a row is shown. Of the text every word has to be there, in any order and case. */
export function matches(row: Filterable, { outcome, level, subject, text = '' }: Filters): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const where = row.text.toLowerCase();
  return (
    (outcome === undefined || outcome === '' || row.outcomes.includes(outcome)) &&
    (level === undefined || level === '' || row.level === level) &&
    (subject === undefined || subject === '' || row.subjects.includes(subject)) &&
    words.every((word) => where.includes(word))
  );
}

/** The family of a requirement: what stands before its number. @example familyOf('VRF-3') // 'VRF' */
export function familyOf(id: string): string {
  return id.replace(/-[^-]*$/, '');
}
