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

/** Those of the variables that one of the texts names as `$NAME`, `${NAME}` or, without its first word, `${NAME#* }`. */
export function usedVariables(texts: readonly string[], variables: readonly string[]): readonly string[] {
  const used = new Set(texts.flatMap((text) => pieces(text, variables).map(({ variable }) => variable)));
  return variables.filter((name) => used.has(name));
}

/**
 * A shell word in which the shell fills in the variables that the text names as `$NAME` or `${NAME}`; all else stands for itself.
 *
 * @param text - code points up to U+00FF, one byte each
 * @returns nothing where the text names none of the variables
 * @example variableWord('Authorization: Token $KEY', ['KEY']) // '"Authorization: Token $KEY"'
 */
export function variableWord(text: string, variables: readonly string[]): string | undefined {
  const found = pieces(text, variables);
  if (found.every(({ variable }) => variable === undefined)) return undefined;
  const simple = found.every((piece) => piece.variable !== undefined || /^[\w .,:;=/+@-]*$/.test(piece.text));
  if (!simple) return found.map(quoted).join('');
  return `"${found.map((piece, at) => filledIn(piece, found[at + 1])).join('')}"`;
}

interface Piece {
  readonly text: string;
  /** The name of the variable that it is. */
  readonly variable?: string;
  /** Whether the first word of its value is left out. */
  readonly shortened?: boolean;
}

function pieces(text: string, variables: readonly string[]): readonly Piece[] {
  const names = variables.toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return [{ text }];
  const name = names.join('|');
  const parts = text.split(new RegExp(`(\\$(?:${name})|\\$\\{(?:${name})(?:#\\* )?\\})`));
  return parts.flatMap((part, at) => {
    if (at % 2 === 0) return part === '' ? [] : [{ text: part }];
    const [variable = ''] = /\w+/.exec(part) ?? [];
    return [{ text: part, variable, shortened: part.includes('#') }];
  });
}

function quoted({ text, variable, shortened }: Piece): string {
  if (variable !== undefined) return shortened === true ? `"${text}"` : `"$${variable}"`;
  const bytes = Buffer.from(text, 'latin1');
  return isPlain(bytes) ? shellQuote(text) : `"$(printf ${printfFormat(bytes)})"`;
}

/** Within double quotes; in braces where what follows would be taken for more of the name. */
function filledIn({ text, variable, shortened }: Piece, next: Piece | undefined): string {
  if (variable === undefined || shortened === true) return text;
  return next?.variable === undefined && /^\w/.test(next?.text ?? '') ? `\${${variable}}` : `$${variable}`;
}
