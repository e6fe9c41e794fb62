import type { ReportedBody } from '../model/exchange.ts';

/**
 * Everything that a terminal, a log or a browser would not show as itself: control characters, escapes, bidirectional
 * marks, what has no width, separators and spaces other than the plain one, private characters, and surrogates
 * without their other half.
 */
export const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;

const names: Readonly<Record<string, string>> = { '\t': '<TAB>', '\n': '<LF>', '\r': '<CR>' };

/**
 * Text from a target, safe to print: what cannot be seen stands there as `<U+001B>` (or `<TAB>`, `<LF>`, `<CR>`). That
 * spelling, rather than `\u001b`, keeps a character apart from the JSON escape of it, which is often all that
 * two bodies differ in.
 *
 * @param keep - characters that pass as they are, for example `'\n'` for text of several lines
 * @example visible('a\u001b[31mb') // 'a<U+001B>[31mb'
 */
export function visible(text: string, keep = ''): string {
  return text.replace(hidden, (character) => (keep.includes(character) ? character : spelled(character)));
}

/** Text with every character beyond ASCII by its code: `<U+00E9>`. */
export function spelledOut(text: string): string {
  return visible(text).replace(/[^ -~]/gu, spelled);
}

function spelled(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return names[character] ?? `<U+${code}>`;
}

/** A body as text: as it is where it was text; of other bytes those outside printable ASCII as `<xFF>`. */
export function bodyText({ text, base64 = '' }: Pick<ReportedBody, 'text' | 'base64'>): string {
  if (text !== undefined) return text;
  return Array.from(atob(base64), (byte) =>
    byte >= ' ' && byte <= '~' ? byte : `<x${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}>`,
  ).join('');
}

/** The first line of a text, without the words at its end that introduce the lines behind it. */
export function firstLine(text: string): string {
  const [line = '', ...others] = text.split('\n');
  return others.length === 0 ? line : line.replace(/; [^;]*:$/, '');
}
