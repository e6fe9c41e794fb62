import type { Json } from '../json/json.ts';
import { isCharacterSite } from './editSites.ts';
import type { EditKind } from './edit.ts';
import { writeWith, type Gap, type JsonPath, type JsonPen } from './jsonPen.ts';

/** What a place in a JSON text is like at which an edit may be made. */
export interface EditPlace {
  /** The name of the document's member that it lies in; empty where it lies in none. */
  readonly within: string;
  /** Of white space: beside what it would stand. */
  readonly gap?: Gap;
  /** Of a character: whether it belongs to a name or to a value. */
  readonly role?: 'name' | 'value';
  readonly character?: string;
}

/**
 * The places that a value offers for a kind of edit. The number of a place is what `Edit.at` counts.
 *
 * @example editPlaces({ id: 7 }, 'number-spelling') // [{ within: 'id' }]
 */
export function editPlaces(value: Json, kind: EditKind): readonly EditPlace[] {
  if (kind === 'trailing-newline') return [{ within: '' }];
  const places: EditPlace[] = [];
  writeWith(value, listingPen(kind, places));
  return places;
}

function listingPen(kind: Exclude<EditKind, 'trailing-newline'>, places: EditPlace[]): JsonPen {
  const add = (path: JsonPath, more: Omit<EditPlace, 'within'> = {}): string => {
    places.push({ within: topOf(path), ...more });
    return '';
  };
  return {
    gap: (gap, path) => (kind === 'whitespace' ? add(path, { gap }) : ''),
    number: (_value, path) => (kind === 'number-spelling' ? add(path) : ''),
    order: (names, path) => {
      if (kind === 'key-order') for (const _ of names.slice(1)) add(path);
      return undefined;
    },
    string: (text, path, role) => {
      if (kind === 'whitespace' || kind === 'number-spelling' || kind === 'key-order') return '';
      for (const character of text) if (isCharacterSite(kind, character)) add(path, { role, character });
      return '';
    },
  };
}

function topOf(path: JsonPath): string {
  let step = path;
  while (step?.parent !== undefined) step = step.parent;
  return step === undefined ? '' : String(step.token);
}
