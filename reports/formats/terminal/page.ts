import type { Sink } from '../../sink.ts';
import type { Style } from '../../text/printer.ts';

/** What a section of the report needs to know of where it will be read. */
export interface Page {
  /** Columns that a line may take: the sink's, but between 40 and 100, where text stays readable. */
  readonly width: number;
  /** Colours a text, or leaves it as it is where no colours are shown. */
  paint(style: Style | readonly Style[], text: string): string;
}

/** The page that a sink offers. Without a printer it has no colours. */
export function pageOf({ columns, printer }: Pick<Sink, 'columns' | 'printer'>): Page {
  return {
    width: Math.min(100, Math.max(40, columns)),
    paint: (style, text) => printer?.paint(style, text) ?? text,
  };
}
