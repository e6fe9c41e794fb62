import { type ForeignReading, numberFormats, numberRanges, stringFormats } from './keywords.ts';
import { isRecord, type Mapping } from '../jsonSchema.ts';
import { below } from '../pointer.ts';

/** Takes a `format` that is a regular expression for a pattern, and leaves out one that is not known. */
export function readFormat(members: Mapping, pointer: string, { say }: ForeignReading): Mapping {
  const { format, ...rest } = members;
  if (typeof format !== 'string' || isKnown(format, members['type'])) return members;
  const place = below(pointer, 'format');
  if (isPattern(format)) {
    say(
      place,
      'format',
      'translated',
      `The format "${format}" is a regular expression. It is taken as the pattern.`,
      format,
    );
    return { pattern: format, ...rest };
  }
  const range = speaksOfText(members['type']) ? undefined : rangeOf(format);
  if (range !== undefined) return withRange(rest, range, format, place, say);
  const taken = speaksOfText(members['type']) ? 'Any text' : 'Any number';
  say(
    place,
    'format',
    'loosened',
    `The format "${format}" is not known here. ${taken} is taken for it.`,
    `format ${format}`,
  );
  return rest;
}

function rangeOf(format: string): readonly [number, number] | undefined {
  return Object.hasOwn(numberRanges, format) ? numberRanges[format] : undefined;
}

/** Bounds of its own are narrower, or meant to be. */
function withRange(
  members: Mapping,
  [minimum, maximum]: readonly [number, number],
  format: string,
  place: string,
  say: ForeignReading['say'],
): Mapping {
  const message = `The format "${format}" is taken for a number from ${minimum} to ${maximum}, where no bounds stand beside it.`;
  say(place, 'format', 'translated', message, `format ${format}`);
  const isBounded = Object.keys(members).some((keyword) => /^(exclusive)?(minimum|maximum)$/i.test(keyword));
  return isBounded ? members : { minimum, maximum, ...members };
}

function isKnown(format: string, type: unknown): boolean {
  return stringFormats.has(format) || (numberFormats.has(format) && !speaksOfText(type));
}

function speaksOfText(type: unknown): boolean {
  return type === undefined || [type].flat().includes('string');
}

/** Takes patterns as they were meant, and leaves out those that are no regular expressions. */
export function readStringKeywords(members: Mapping, pointer: string, reading: ForeignReading): Mapping {
  const { pattern, patternProperties, ...rest } = members;
  const isTold = members['format'] !== undefined;
  const own = typeof pattern === 'string' ? taken(pattern, below(pointer, 'pattern'), isTold, reading) : undefined;
  return {
    ...rest,
    ...(own !== undefined && { pattern: own }),
    ...(isRecord(patternProperties) && { patternProperties: takenNames(patternProperties, pointer, reading) }),
  };
}

function takenNames(named: Mapping, pointer: string, reading: ForeignReading): Mapping {
  const entries = Object.entries(named).flatMap(([name, schema]) => {
    const pattern = taken(name, below(pointer, 'patternProperties', name), false, reading);
    return pattern === undefined ? [] : [[pattern, schema] as const];
  });
  return Object.fromEntries(entries);
}

/** @param isTold - a format beside it says what the text looks like, so that a mask is not needed */
function taken(text: string, pointer: string, isTold: boolean, { say }: ForeignReading): string | undefined {
  const { pattern, problem } = readPattern(text);
  if (problem === undefined) return pattern;
  const used = isTold && problem.includes('mask') ? undefined : pattern;
  const done = used === undefined ? 'It was left out.' : `It is taken for "${used}".`;
  say(pointer, 'pattern', used === undefined ? 'loosened' : 'translated', `The pattern "${text}" ${problem}. ${done}`);
  return used;
}

/** What became of a regular expression that somebody else wrote. */
interface ForeignPattern {
  /** One that compiles with the `u` flag, as JSON Schema wants; nothing where there is none. */
  readonly pattern: string | undefined;
  /** What is wrong with the text as it stands, as a clause; nothing where it may stay as it is. */
  readonly problem: string | undefined;
}

/**
 * Reads a `pattern` as its author meant it: with escapes that the `u` flag refuses (`\-`, `\_`, `[\w-.]`), or as a mask of
 * digits (`HH:mm:SS`) instead of a regular expression.
 */
export function readPattern(text: string): ForeignPattern {
  const mask = maskPattern(text);
  if (mask !== undefined) return { pattern: mask, problem: 'is a mask of digits and no regular expression' };
  if (compiles(text)) return { pattern: text, problem: undefined };
  const strict = withStrictEscapes(text);
  if (compiles(strict)) return { pattern: strict, problem: 'is no regular expression under the u flag' };
  return { pattern: undefined, problem: 'is no regular expression' };
}

/** Whether the text of a `format` is a regular expression rather than a name. */
function isPattern(format: string): boolean {
  return /^\^.*\$$/s.test(format) && compiles(format);
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}

/** The parts of dates and times, as formatters write them. In order: the longest first. */
const maskParts: readonly (readonly [RegExp, string])[] = [
  [/^(YYYY|yyyy)/, String.raw`2\d{3}`],
  [/^MM/, '(0[1-9]|1[0-2])'],
  [/^(DD|dd)/, String.raw`(0[1-9]|1\d|2[0-8])`],
  [/^(HH|hh)/, String.raw`(0[1-9]|1[0-2])`],
  [/^mm/, String.raw`[0-5]\d`],
  [/^(SS|ss)/, String.raw`[0-5]\d`],
];

/** The regular expression of a mask such as `YYYY-MM-DD` or `HH:mm:SS`, or nothing for any other text. */
function maskPattern(text: string): string | undefined {
  if (!/^(?:(?:YYYY|yyyy|MM|DD|dd|HH|hh|mm|SS|ss)(?:[-/.: T]|$))+$/.test(text) || text.length < 5) return undefined;
  let rest = text;
  let pattern = '';
  while (rest !== '') {
    const [part, source] = maskParts.find(([each]) => each.test(rest)) ?? [
      /^./,
      rest.slice(0, 1).replace(/[./]/, '\\$&'),
    ];
    rest = rest.replace(part, '');
    pattern += source;
  }
  return `^${pattern}$`;
}

const escape = /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|.)/su;

/** Undoes escapes that mean nothing, and escapes hyphens and brackets that stand for themselves. */
function withStrictEscapes(pattern: string): string {
  let strict = '';
  let isInClass = false;
  for (let rest = pattern; rest !== '';) {
    const [token] = rest.startsWith('\\') ? (escape.exec(rest) ?? ['\\']) : [Array.from(rest)[0] ?? ''];
    rest = rest.slice(token.length);
    if (token === '[' && !isInClass) isInClass = true;
    else if (token === ']' && isInClass) isInClass = false;
    strict += isInClass ? inClass(token, rest, strict) : outside(token, rest, strict);
  }
  return strict;
}

function inClass(token: string, rest: string, before: string): string {
  if (token === '-' && (/\\[wWdDsS]$/.test(before) || /^\\[wWdDsS]/.test(rest))) return String.raw`\-`;
  return /^\\[^\w^$\\.*+?()[\]{}|/-]$/u.test(token) || token === String.raw`\_` ? token.slice(1) : token;
}

function outside(token: string, rest: string, before: string): string {
  if (token === '{' && (before === '' || !/^\d+(,\d*)?\}/.test(rest))) return String.raw`\{`;
  if (token === '}' && !/\{\d+(,\d*)?$/.test(before)) return String.raw`\}`;
  if (token === ']' && !/\[(?:[^\]\\]|\\.)*$/s.test(before)) return String.raw`\]`;
  if (token === String.raw`\A`) return '^';
  if (/^\\[zZ]$/.test(token)) return '$';
  return /^\\[^\w^$\\.*+?()[\]{}|/]$/u.test(token) || token === String.raw`\_` ? token.slice(1) : token;
}
