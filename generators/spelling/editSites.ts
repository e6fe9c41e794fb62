import { countCharacterSites } from './characterSites.ts';
import type { Json } from '../json/json.ts';
import { writeWith, type JsonPen } from './jsonPen.ts';
import type { Edit, EditKind } from './edit.ts';

/** How many places a value offers for an edit of this kind. 0: such an edit leaves the text as it is. */
export function editSites(value: Json, kind: Edit['kind']): number {
  if (kind === 'trailing-newline') return 1;
  const count = { sites: 0 };
  writeWith(value, countingPen(kind, count));
  return count.sites;
}

/** The number of places at which each kind finds one, for the kinds that are asked for. */
export function countSites(value: Json, kinds: Iterable<EditKind>): ReadonlyMap<EditKind, number> {
  return new Map(Array.from(new Set(kinds), (kind) => [kind, editSites(value, kind)]));
}

const nothing = (): string => '';

function countingPen(kind: Exclude<EditKind, 'trailing-newline'>, count: { sites: number }): JsonPen {
  const add = (sites: number): string => {
    count.sites += sites;
    return '';
  };
  const pen: JsonPen = { gap: nothing, string: nothing, number: nothing, order: () => undefined };
  if (kind === 'whitespace') return { ...pen, gap: () => add(1) };
  if (kind === 'number-spelling') return { ...pen, number: () => add(1) };
  if (kind !== 'key-order') return { ...pen, string: (text) => add(countCharacterSites(kind, text)) };
  return { ...pen, order: (names) => void add(names.length - 1) as undefined };
}
