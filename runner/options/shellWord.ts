import { shellQuote } from '../../reports/curl/shell.ts';

/**
 * A text as one word of a POSIX shell, quoted only where it must be.
 *
 * @example
 * shellWord('IDM-*') // `'IDM-*'`
 */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}
