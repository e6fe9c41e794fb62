import fc, { type Arbitrary } from 'fast-check';

import { type Gap, type JsonPath, type JsonPen, numberSpellings, tokensOf, writeWith } from './jsonPen.ts';
import { type Edit, editKinds, type EditKind, type RawForm, whitespace, isCharacterSite, editSites } from './edit.ts';
import type { Json } from '../json/json.ts';
import { toPointer } from '../json/jsonPointer.ts';

export { editSites } from './edit.ts';

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
 *
 * @example rawForm({ kinds: ['whitespace'] }).map((form) => writeJson({ id: 7 }, form).toString()) // '{ "id":7}'
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

/** A place of the text, in words: "before the colon of /data/id". */
type Found = { words?: string };

const gapWords: Readonly<Record<Gap, string>> = {
  'before-document': 'before the document',
  'after-document': 'after the document',
  'inside-empty': 'between the brackets of',
  'before-name': 'before the name of',
  'before-colon': 'before the colon of',
  'after-colon': 'after the colon of',
  'after-member': 'after the value of',
  'before-item': 'before the item',
  'after-item': 'after the item',
};

const characterNames: Readonly<Record<string, string>> = {
  ' ': 'a space',
  '\t': 'a tab',
  '\n': 'a line feed',
  '\r': 'a carriage return',
  '\r\n': 'a carriage return and a line feed',
};

/**
 * An edit in plain words, for a report.
 *
 * @example describeEdit({ kind: 'solidus-escape', at: 0 }) // 'a solidus written as \\/'
 */
export function describeEdit(edit: Edit): string {
  return wordings[edit.kind](edit);
}

/**
 * An edit in plain words, with the place where it falls in a value.
 *
 * @example describeEditIn({ id: 7 }, { kind: 'whitespace', at: 1 }) // 'a space before the name of /id'
 */
export function describeEditIn(value: Json, edit: Edit): string {
  const place = placeOf(edit, value);
  return place === undefined
    ? `no change (${describeEdit(edit)}: the value has no such place)`
    : `${describeEdit(edit)} ${place}`;
}

const wordings: Readonly<Record<EditKind, (edit: Edit) => string>> = {
  whitespace: ({ text = ' ' }) => spaceWords(text),
  'trailing-newline': ({ text = '\n' }) => `${spaceWords(text)} at the end`,
  'key-order': () => 'two neighbouring members the other way round',
  'unicode-escape': ({ text = 'lower' }) => `a character written as \\uXXXX with ${text}-case digits`,
  'non-ascii-escape': ({ text = 'lower' }) => `a non-ASCII character written as \\uXXXX with ${text}-case digits`,
  'solidus-escape': () => 'a solidus written as \\/',
  'number-spelling': ({ text = 'fraction' }) => `a number spelled otherwise (${text})`,
};

function spaceWords(text: string): string {
  return characterNames[text] ?? `white space ${JSON.stringify(text)}`;
}

function placeOf(edit: Edit, value: Json): string | undefined {
  const sites = editSites(value, edit.kind);
  if (sites === 0) return undefined;
  if (edit.kind === 'trailing-newline') return 'of the document';
  const found: Found = {};
  writeWith(value, findingPen(edit.kind, edit.at % sites, found));
  return found.words;
}

function findingPen(kind: Exclude<EditKind, 'trailing-newline'>, site: number, found: Found): JsonPen {
  let place = 0;
  const visit = (words: () => string): string => {
    if (place === site) found.words = words();
    place += 1;
    return '';
  };
  return {
    gap: (gap, path) => (kind === 'whitespace' ? visit(() => gapPlace(gap, path)) : ''),
    number: (value, path) => (kind === 'number-spelling' ? visit(() => `at ${pointerOf(path)} (${value})`) : ''),
    order: (names, path) => {
      if (kind !== 'key-order') return undefined;
      for (const index of names.slice(1).keys()) visit(() => pairPlace(names, index, path));
      return undefined;
    },
    string: (text, path, role) => {
      if (kind === 'whitespace' || kind === 'number-spelling' || kind === 'key-order') return '';
      const at = role === 'name' ? 'in the name of' : 'at';
      for (const one of text) if (isCharacterSite(kind, one)) visit(() => `${at} ${pointerOf(path)} (${visible(one)})`);
      return '';
    },
  };
}

function gapPlace(gap: Gap, path: JsonPath): string {
  return gap === 'before-document' || gap === 'after-document' ? gapWords[gap] : `${gapWords[gap]} ${pointerOf(path)}`;
}

function pairPlace(names: readonly string[], index: number, path: JsonPath): string {
  return `in ${pointerOf(path)} (${JSON.stringify(names[index])} and ${JSON.stringify(names[index + 1])})`;
}

function visible(character: string): string {
  const point = (character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  return /^[!-~]$/.test(character) ? character : `U+${point}`;
}

function pointerOf(path: JsonPath): string {
  const tokens = tokensOf(path);
  return tokens.length === 0 ? 'the document' : toPointer(tokens);
}
