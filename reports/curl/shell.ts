/** A word of a POSIX shell that stands for exactly this text, in single quotes; NUL, which no word can hold, is left out. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

/** The text within double quotes, among variables: it stands for itself, and no history is looked up for it. */
export function withinQuotes(text: string): string {
  return text
    .replaceAll('\0', '')
    .replaceAll(/["$`\\]/g, '\\$&')
    .replaceAll('!', `"'!'"`);
}

/** Whether every byte shows as itself on one line, so that {@link shellQuote} says all there is to say. */
export function isPlain(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte <= 0x7e);
}

/**
 * The quoted format of a `printf` that writes exactly these bytes, in dash as in bash. Whatever a shell, its history
 * or a terminal could take for something else is an octal escape.
 *
 * @example printfFormat(Buffer.from('a\n%')) // "'a\\012%%'"
 */
export function printfFormat(bytes: Uint8Array): string {
  const written = Array.from(bytes, (byte, at) => (at === 0 && byte === 0x2d ? octal(byte) : formatted(byte)));
  return `'${written.join('')}'`;
}

/**
 * The format and the arguments of a `printf` that writes these bytes, with what stands for each of some texts in its place.
 *
 * @param words - shell words by the text that they stand for: letters, digits and hyphens
 * @example printfWords(Buffer.from('an id: 17.'), new Map([['17', '"$id"']])) // `'an id: %s.' "$id"`
 */
export function printfWords(bytes: Uint8Array, words: ReadonlyMap<string, string>): string {
  if (words.size === 0) return printfFormat(bytes);
  const latin1 = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const parts = latin1.split(new RegExp(`(${[...words.keys()].join('|')})`));
  const format = parts.map((text, at) =>
    at % 2 === 1 ? '%s' : printfFormat(Uint8Array.from(text, (letter) => letter.charCodeAt(0))).slice(1, -1),
  );
  return [`'${format.join('')}'`, ...parts.flatMap((text) => words.get(text) ?? [])].join(' ');
}

function formatted(byte: number): string {
  if (byte === 0x25) return '%%';
  if (byte === 0x5c) return '\\\\';
  const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x27 && byte !== 0x21;
  return plain ? String.fromCharCode(byte) : octal(byte);
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}

/**
 * A text as one word of a POSIX shell, quoted only where it must be.
 *
 * @example
 * shellWord('IDM-*') // `'IDM-*'`
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}
