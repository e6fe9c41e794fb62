import { isJsonObject, type Json } from '../json/json.ts';

/**
 * How the serialisers of some languages write JSON where nobody asks for anything else: the same value in other bytes than
 * those of `JSON.stringify`.
 *
 * @example houseStyles['as PHP writes it']({ a: '/' }) // '{"a":"\\/"}'
 */
export const houseStyles = {
  'as Python writes it': (value) =>
    ascii(JSON.stringify(value, null, 1).replaceAll(/,\n */g, ', ').replaceAll(/\n */g, '')),
  'as PHP writes it': (value) => ascii(JSON.stringify(value).replaceAll('/', '\\/')),
  'as Go writes it': (value) => JSON.stringify(sorted(value)).replaceAll(/[<>&\u2028\u2029]/g, escape),
  'as Rails writes it': (value) => JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, escape),
  'with its members sorted': (value) => JSON.stringify(sorted(value)),
  'in ASCII, with escapes': (value) => ascii(JSON.stringify(value)),
  'with every solidus escaped': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  indented: (value) => JSON.stringify(value, null, 2),
} as const satisfies Readonly<Record<string, (value: Json) => string>>;

function ascii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, escape);
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
