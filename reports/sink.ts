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
