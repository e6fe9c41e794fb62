import fc, { type Arbitrary } from 'fast-check';

import { numberSpellings } from './numberSpelling.ts';
import { type Edit, editKinds, type EditKind, type RawForm, whitespace } from './edit.ts';

export { describeEdit, describeEditIn } from './describeEdit.ts';
export { editSites } from './editSites.ts';
export { writeJson } from './writeJson.ts';

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
