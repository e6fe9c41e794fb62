import type { JSX } from 'preact';

import { type FilterName, type Filters, setFilter } from './route.ts';
import { shown } from './section.tsx';

/** A choice, and what it is called. */
export type Choice = readonly [value: string, words: string];

/** The filters of a table, kept in the address of the page, so that what they show can be sent to others. */
export function FilterBar(props: {
  anchor: string;
  filters: Filters;
  choices: Readonly<Partial<Record<FilterName, readonly Choice[]>>>;
  /** How many rows are shown, of how many. */
  count: readonly [shown: number, all: number];
}): JSX.Element {
  const { anchor, filters, choices, count } = props;
  const change = (name: FilterName, value: string): void => setFilter(anchor, filters, name, value);
  return (
    <form class="filters" role="search" aria-label={`Filter ${anchor}`} onSubmit={(event) => event.preventDefault()}>
      {(['outcome', 'level', 'subject'] as const).map((name) => (
        <Select key={name} name={name} choices={choices[name] ?? []} value={filters[name] ?? ''} change={change} />
      ))}
      <label>
        <span>Text</span>
        <input
          type="search"
          name="text"
          value={filters.text ?? ''}
          placeholder="id, words, check"
          onInput={(event) => change('text', event.currentTarget.value)}
        />
      </label>
      <p role="status">
        {count[0] === count[1] ? `All ${count[1]}` : `${count[0]} of ${count[1]}`}
        {Object.values(filters).some(Boolean) && (
          <>
            {' · '}
            <a href={`#${anchor}`}>show all</a>
          </>
        )}
      </p>
    </form>
  );
}

function Select(props: {
  name: FilterName;
  choices: readonly Choice[];
  value: string;
  change: (name: FilterName, value: string) => void;
}): JSX.Element | null {
  const { name, choices, value, change } = props;
  if (choices.length === 0) return null;
  return (
    <label>
      <span>{name.charAt(0).toUpperCase() + name.slice(1)}</span>
      <select name={name} value={value} onChange={(event) => change(name, event.currentTarget.value)}>
        <option value="">any</option>
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {shown(words)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What a row can be found by. */
interface Filterable {
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
