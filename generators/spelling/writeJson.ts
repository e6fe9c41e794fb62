import { isJsonObject, type Json } from '../json/json.ts';
import {
  type CharacterEditKind,
  countSites,
  type Edit,
  type EditKind,
  isCharacterSite,
  type RawForm,
  unicodeEscape,
} from './edit.ts';
import { type JsonPen, type NumberSpelling, numberSpellings, spellNumber, writeWith } from './jsonPen.ts';

/** The edits of a form by kind and place: the places are counted through in the order in which the pen comes by. */
type Plan = ReadonlyMap<EditKind, ReadonlyMap<number, Edit>>;

const characterKinds: readonly CharacterEditKind[] = ['unicode-escape', 'non-ascii-escape', 'solidus-escape'];

/**
 * Writes a value as JSON in UTF-8.
 *
 * The empty form gives the bytes of `JSON.stringify`. Any other form parses to the same value, and its bytes differ
 * from those of `JSON.stringify` wherever one of its edits finds a place. Where several edits of one kind meet at the
 * same place, the last one counts.
 *
 * @throws RangeError for an edit whose `text` its kind does not know
 */
export function writeJson(value: Json, form: RawForm): Buffer {
  if (form.length === 0) return Buffer.from(JSON.stringify(value));
  return Buffer.from(writeWith(value, editingPen(planOf(value, form))));
}

function planOf(value: Json, form: RawForm): Plan {
  const sites = countSites(
    value,
    form.map((edit) => edit.kind),
  );
  const plan = new Map<EditKind, Map<number, Edit>>();
  for (const edit of form) {
    const count = sites.get(edit.kind) ?? 0;
    if (count === 0) continue;
    const places = plan.get(edit.kind) ?? new Map<number, Edit>();
    plan.set(edit.kind, places.set(edit.at % count, edit));
  }
  return plan;
}

function editingPen(plan: Plan): JsonPen {
  const next = new Map<EditKind, number>();
  const take = (kind: EditKind): Edit | undefined => {
    const place = next.get(kind) ?? 0;
    next.set(kind, place + 1);
    return plan.get(kind)?.get(place);
  };
  const editsCharacters = characterKinds.some((kind) => plan.has(kind));
  return {
    gap: (gap) => spaceOf(take('whitespace')) + (gap === 'after-document' ? newlineOf(take('trailing-newline')) : ''),
    string: (text) => (editsCharacters ? spellString(text, take) : JSON.stringify(text)),
    number: (value) => {
      const edit = take('number-spelling');
      return edit === undefined ? JSON.stringify(value) : spellNumber(value, spellingOf(edit));
    },
    order: (names) => (plan.has('key-order') ? swapped(names.length, take) : undefined),
  };
}

/** Each pair of neighbours changes places at most once, so the result is never the order that it began with. */
function swapped(length: number, take: (kind: EditKind) => Edit | undefined): readonly number[] {
  const order = Array.from({ length }, (_, index) => index);
  for (let index = 0; index < length - 1; index += 1) {
    if (take('key-order') === undefined) continue;
    [order[index], order[index + 1]] = [order[index + 1] as number, order[index] as number];
  }
  return order;
}

function spellString(text: string, take: (kind: EditKind) => Edit | undefined): string {
  let spelled = '"';
  for (const character of text) {
    let how = JSON.stringify(character).slice(1, -1);
    for (const kind of characterKinds) {
      const edit = isCharacterSite(kind, character) ? take(kind) : undefined;
      if (edit !== undefined) how = kind === 'solidus-escape' ? '\\/' : unicodeEscape(character, digitsOf(edit));
    }
    spelled += how;
  }
  return `${spelled}"`;
}

function spaceOf(edit: Edit | undefined): string {
  if (edit === undefined) return '';
  const { text = ' ' } = edit;
  if (!/^[ \t\n\r]+$/.test(text)) throw unknownText(edit, 'spaces, tabs, line feeds and carriage returns');
  return text;
}

function newlineOf(edit: Edit | undefined): string {
  if (edit === undefined) return '';
  const { text = '\n' } = edit;
  if (text !== '\n' && text !== '\r\n') throw unknownText(edit, 'a line feed, or a carriage return and a line feed');
  return text;
}

function digitsOf(edit: Edit): 'lower' | 'upper' {
  const { text = 'lower' } = edit;
  if (text !== 'lower' && text !== 'upper') throw unknownText(edit, 'lower and upper');
  return text;
}

function spellingOf(edit: Edit): NumberSpelling {
  const { text = 'fraction' } = edit;
  const spelling = numberSpellings.find((candidate) => candidate === text);
  if (spelling === undefined) throw unknownText(edit, numberSpellings.join(', '));
  return spelling;
}

function unknownText(edit: Edit, valid: string): RangeError {
  return new RangeError(`An edit of kind '${edit.kind}' has the text ${JSON.stringify(edit.text)}. Valid: ${valid}.`);
}

/**
 * How the serialisers of some languages write JSON where nobody asks for anything else: the same value in other bytes than
 * those of `JSON.stringify`.
 *
 * @example houseStyles['as PHP writes it']({ a: '/' }) // '{"a":"\\/"}'
 */
export const houseStyles = {
  'as Python writes it': python,
  'as PHP writes it': (value) => inAscii(JSON.stringify(value).replaceAll('/', '\\/')),
  'as Go writes a map': (value) => JSON.stringify(sorted(value)).replaceAll(/[<>&\u2028\u2029]/g, escape),
  'as Rails writes it, or Go a struct': (value) => JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, escape),
  'as Python writes it with sort_keys': (value) => python(sorted(value)),
  'with its members sorted, and every solidus escaped': (value) => JSON.stringify(sorted(value)).replaceAll('/', '\\/'),
  'with its members sorted': (value) => JSON.stringify(sorted(value)),
  'in ASCII, with escapes': (value) => inAscii(JSON.stringify(value)),
  'with every solidus escaped': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  indented: (value) => JSON.stringify(value, null, 2),
} as const satisfies Readonly<Record<string, (value: Json) => string>>;

function python(value: Json): string {
  return inAscii(JSON.stringify(value, null, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, ''));
}

/**
 * JSON with escapes for what is no printable ASCII, as Python writes it.
 *
 * @example inAscii('"é"') // '"\\u00e9"'
 */
export function inAscii(json: string): string {
  return json.replaceAll(/[\x7f-\uffff]/g, escape);
}

function escape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The same with the members of every object in the order of their names. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
