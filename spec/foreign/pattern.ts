/** What became of a regular expression that somebody else wrote. */
export interface ForeignPattern {
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
export function isPattern(format: string): boolean {
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
