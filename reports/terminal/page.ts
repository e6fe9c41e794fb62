import { styleText } from 'node:util';

import type { Sink } from '../sink.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** What a section of the report needs to know of where it will be read. */
export interface Page {
  /** Columns that a line may take: the sink's, but between 40 and 100, where text stays readable. */
  readonly width: number;
  /** Colours a text, or leaves it as it is where the sink shows no colours. */
  paint(style: Style | readonly Style[], text: string): string;
}

/** The page that a sink offers. Whether colours are wanted is the sink's decision alone. */
export function pageOf(sink: Pick<Sink, 'columns' | 'colors'>): Page {
  return {
    width: Math.min(100, Math.max(40, sink.columns)),
    paint: (style, text) =>
      sink.colors ? styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false }) : text,
  };
}
