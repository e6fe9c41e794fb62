import fc, { type Arbitrary } from 'fast-check';

import { numberSpellings } from './numberSpelling.ts';

export { describeEdit, describeEditIn } from './describeEdit.ts';
export { editSites } from './editSites.ts';
export { writeJson } from './writeJson.ts';

/**
 * The ways in which the bytes of a JSON text may change while its value stays the same (RFC 8259):
 *
 * - `whitespace`: white space beside a token; `text` is what is put there (default one space)
 * - `trailing-newline`: a line end after the document; `text` is `\n` (default) or `\r\n`
 * - `key-order`: two neighbouring members of an object change places
 * - `unicode-escape`: any character as `\uXXXX`; `text` is `lower` (default) or `upper`, the case of the digits
 * - `non-ascii-escape`: the same for a character beyond ASCII, which the compact form writes raw
 * - `solidus-escape`: `/` as `\/`
 * - `number-spelling`: `1` as `1.0`, `1e0` or `10E-1`; `text` is `fraction` (default), `exponent` or `shifted`
 */
export const editKinds = [
  'whitespace',
  'trailing-newline',
  'key-order',
  'unicode-escape',
  'non-ascii-escape',
  'solidus-escape',
  'number-spelling',
] as const;

export type EditKind = (typeof editKinds)[number];

/** One departure from the compact form. */
export interface Edit {
  readonly kind: EditKind;
  /** Which of the places that the value offers for this kind: taken modulo their number, see `editSites`. */
  readonly at: number;
  readonly text?: string;
}

/** The raw form of a JSON text, as data: what sets it apart from `JSON.stringify`. The empty form is that itself. */
export type RawForm = readonly Edit[];

/** Constraints of {@link rawForm}. */
export interface RawFormConstraints {
  /** The kinds of edit to use. Default: all. */
  readonly kinds?: readonly EditKind[];
  /** Default: 1. */
  readonly minEdits?: number;
  /** Default: 8, or `minEdits` where that is more. */
  readonly maxEdits?: number;
}

/**
 * For raw forms. They know no value: an edit whose kind finds no place in the value that is written changes nothing.
 *
 * Shrinks to `minEdits` edits (by default to one), each at the first place that still matters, with the plainest text.
 */
export function rawForm(constraints: RawFormConstraints = {}): Arbitrary<RawForm> {
  const { kinds = editKinds, minEdits = 1, maxEdits = Math.max(8, minEdits) } = constraints;
  // An array of at least one item never loses the items after its first while it shrinks; a filtered one does.
  const minLength = minEdits === 1 ? 0 : minEdits;
  const forms = fc.array(fc.oneof(...kinds.map(edit)), { minLength, maxLength: maxEdits, size: 'max' });
  return forms.filter((form) => form.length >= minEdits);
}

/** `JSON` allows four characters as white space (RFC 8259, 2). */
const whitespace = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), minLength: 1, maxLength: 4 });

function edit(kind: EditKind): Arbitrary<Edit> {
  const text = editText(kind);
  const place = { kind: fc.constant(kind), at: fc.nat(0xffff) };
  return text === undefined ? record(place) : record({ ...place, text });
}

function record<T>(model: { [K in keyof T]: Arbitrary<T[K]> }): Arbitrary<T> {
  return fc.record(model, { noNullPrototype: true }) as Arbitrary<T>;
}

function editText(kind: EditKind): Arbitrary<string> | undefined {
  if (kind === 'whitespace') return whitespace;
  if (kind === 'trailing-newline') return fc.constantFrom('\n', '\r\n');
  if (kind === 'unicode-escape' || kind === 'non-ascii-escape') return fc.constantFrom('lower', 'upper');
  return kind === 'number-spelling' ? fc.constantFrom(...numberSpellings) : undefined;
}
