import { randomUUID } from 'node:crypto';
import { styleText } from 'node:util';

import { visible } from './text/visible.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/**
 * The one way of text to a terminal or a log: what it did not style itself is spelled out where it would not show as
 * itself, wherever it came from.
 */
export interface Printer {
  /** The text as {@link Printer.print} will style it; as it is where no colours are shown. */
  paint(style: Style | readonly Style[], text: string): string;
  /** Will go to the start of the line, and leave nothing of it. */
  readonly eraseLine: string;
  /** What a terminal gets. Line feeds and tabs pass as they are (see `visible`). */
  print(text: string): string;
}

/** Where a reporter writes. Reporters know nothing of files, streams or the environment. */
export interface Sink {
  write(text: string): void;
  /** Characters a line. 80 where nobody knows. */
  readonly columns: number;
  readonly colors: boolean;
  /** True where what was written can be overwritten: a terminal that somebody looks at. */
  readonly tty: boolean;
  /** The printer that all text goes through as it is written: it alone styles. Not there where text is kept as it is. */
  readonly printer?: Printer;
}

/** A sink whose text goes through its printer. */
export type PrintingSink = Sink & Required<Pick<Sink, 'printer'>>;

/** What a sink needs of a stream such as `process.stdout`. */
export interface SinkStream {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly isTTY?: boolean | undefined;
}

/**
 * A sink over a stream. Nothing but its printer's own styles gets through to a terminal unseen, no matter which format writes. There are
 * colours on a terminal, else none. `NO_COLOR` turns them off and `FORCE_COLOR` on (or off,
 * where it is `0` or `false`); `FORCE_COLOR` wins over `NO_COLOR`, as it does in Node. Nothing is redrawn on a
 * terminal that calls itself `dumb`.
 *
 * @param environment - for example `process.env`
 * @see https://no-color.org, https://force-color.org
 */
export function streamSink(
  stream: SinkStream,
  environment: Readonly<Record<string, string | undefined>>,
): PrintingSink {
  const terminal = stream.isTTY === true && environment['TERM'] !== 'dumb';
  const colors = wantsColors(environment) ?? terminal;
  const printer = createPrinter(colors);
  return {
    write: (text) => void stream.write(printer.print(text)),
    get columns() {
      // A terminal that does not know its width says 0.
      return stream.columns || 80;
    },
    colors,
    tty: terminal,
    printer,
  };
}

/** The same sink where it has a printer; else one that writes to it through a printer. */
export function printingSink(sink: Sink): PrintingSink {
  const printer = sink.printer ?? createPrinter(sink.colors);
  const write = (text: string): void => sink.write(sink.printer ? text : printer.print(text));
  return {
    write,
    printer,
    get columns() {
      return sink.columns;
    },
    colors: sink.colors,
    tty: sink.tty,
  };
}

function wantsColors(environment: Readonly<Record<string, string | undefined>>): boolean | undefined {
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if ((environment['NO_COLOR'] ?? '') !== '') return false;
  return undefined;
}

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
