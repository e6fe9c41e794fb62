import type { Printer } from './text/printer.ts';

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
