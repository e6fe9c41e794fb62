import fc from 'fast-check';

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

/** `JSON` allows four characters as white space (RFC 8259, 2). */
export const whitespace = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r'), minLength: 1, maxLength: 4 });
