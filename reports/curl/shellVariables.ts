import { isPlain, printfFormat, shellQuote } from './shell.ts';

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
