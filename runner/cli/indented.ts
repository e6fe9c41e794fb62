import { wrap } from '../../reports/formats/terminal/wrap.ts';

/** The text in lines of at most `columns` characters that begin with `indent`, the first one with `first` instead. */
export function indented(text: string, columns: number, indent: string, first = indent): string {
  return wrap(text, columns - indent.length)
    .map((line, index) => (index === 0 ? first : indent) + line)
    .join('\n');
}
