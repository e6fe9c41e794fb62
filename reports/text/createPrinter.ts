import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';

import type { Printer, Style } from './printer.ts';
import { visible } from './visible.ts';

/**
 * A printer of its own. Its styles are marked by words that nobody else can know, so that no other text has a style.
 *
 * @example
 * const { paint, print } = createPrinter(true);
 * print(`${paint('red', 'broken')}: \u001b[2J`); // '\u001b[31mbroken\u001b[39m: <U+001B>[2J'
 */
export function createPrinter(colors: boolean): Printer {
  const escape = randomUUID();
  const carriageReturn = randomUUID();
  const styled = (style: Style | readonly Style[], text: string): string =>
    styleText(typeof style === 'string' ? style : [...style], visible(text, '\n\t'), { validateStream: false });
  return {
    paint: (style, text) => (colors ? styled(style, text).replaceAll('\u001b', escape) : text),
    eraseLine: `${carriageReturn}${escape}[2K`,
    print: (text) => visible(text, '\n\t').replaceAll(carriageReturn, '\r').replaceAll(escape, '\u001b'),
  };
}
