import type { CheckOutcome } from '../../model/events.ts';
import type { RequirementOutcome } from '../../model/runSummary.ts';
import type { Sink, Style } from '../../sink.ts';
import { visible } from '../../text/visible.ts';

/** What has a sign; `expected` is a failure that was known, and came. */
type SignedOutcome = CheckOutcome | RequirementOutcome | 'expected';

const signs: Readonly<Record<SignedOutcome, readonly [sign: string, style: Style]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  warned: ['!', 'yellow'],
  'not-observable': ['-', 'dim'],
  inconclusive: ['?', 'yellow'],
  errored: ['E', 'red'],
  holds: ['✓', 'green'],
  broken: ['✗', 'red'],
  'not-observed': ['-', 'dim'],
  expected: ['~', 'yellow'],
};

/** The one character that stands for an outcome wherever checks or requirements are listed. */
export function outcomeSign(outcome: SignedOutcome, page: Page): string {
  const [sign, style] = signs[outcome];
  return page.paint(style, sign);
}

/** A line across the page that begins with a title. */
export function rule(title: string, page: Page): string {
  return page.paint('bold', `── ${title} ${'─'.repeat(Math.max(0, page.width - title.length - 4))}`);
}

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

/**
 * Text in lines of at most so many columns, broken at spaces, and within a word where it is longer than a line. What
 * cannot be seen is spelled out; line feeds begin a new line.
 */
export function wrap(text: string, columns: number): readonly string[] {
  return visible(text, '\n')
    .split('\n')
    .flatMap((line) => wrapLine(line, Math.max(columns, 1)));
}

/** Lines under a label that stands in a column of its own: `expected  a refusal`. */
export function labelled(label: string, text: string, columns: number, column = 10): readonly string[] {
  const shown = visible(label);
  return wrap(text, columns - column).map((line, index) => (index === 0 ? shown : '').padEnd(column) + line);
}

/** The lines moved to the right; empty ones stay empty. */
export function indent(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

function wrapLine(text: string, columns: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ').flatMap((long) => pieces(long, columns))) {
    const last = lines.at(-1) ?? '';
    const joined = last === '' ? word : `${last} ${word}`;
    if (last === '' || textWidth(joined) <= columns) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

function pieces(word: string, columns: number): readonly string[] {
  if (textWidth(word) <= columns) return [word];
  const found = [''];
  let taken = 0;
  for (const character of word) {
    const width = characterWidth(character);
    if (taken + width > columns && found.at(-1) !== '') {
      found.push('');
      taken = 0;
    }
    found[found.length - 1] += character;
    taken += width;
  }
  return found;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The columns that a text takes on a terminal, which is more or fewer than its characters for CJK, emoji and marks. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return Array.from(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

/** The longest start of a text that fits into so many columns. */
export function fitting(text: string, columns: number): string {
  let taken = 0;
  const end = Array.from(text).findIndex((character) => (taken += characterWidth(character)) > columns);
  return end === -1 ? text : Array.from(text).slice(0, end).join('');
}

function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Lines under a label that stands in a column of its own, as they are. */
export function under(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (index === 0 ? label : '').padEnd(10) + line);
}

/** The text in lines of at most `columns` characters that begin with `indent`, the first one with `first` instead. */
export function indented(text: string, columns: number, indent: string, first = indent): string {
  return wrap(text, columns - indent.length)
    .map((line, index) => (index === 0 ? first : indent) + line)
    .join('\n');
}
