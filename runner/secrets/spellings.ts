/**
 * A spelling of a secret: the source of a regular expression for each of its characters or bytes, in their order. In that
 * of the characters each may be spelled in another way.
 */
export type Spelling = readonly string[];

/** How often a text may be encoded in the same way, one upon the other; bounds keep a long run of one character cheap. */
const times = { percent: '{0,4}', entity: '{0,4}', slashes: '{0,8}', slash: '{1,8}', zeros: '{0,6}' } as const;

const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * The characters of a secret, each as it is, percent-encoded (once or several times), as an escape of JSON, of a
 * programming language or of a shell, or as an entity of HTML. What is no ASCII may also be UTF-8 that was read as Latin-1,
 * as it stands in headers.
 */
export function characterSpelling(secret: string): Spelling {
  return (secret.match(/\\+|%+|[^\\%]/gu) ?? []).map((text) =>
    /^[\\%]/.test(text) ? runUnit(text) : characterUnit(text),
  );
}

/** A secret as bytes: in hexadecimal, as a list of numbers, and in base64, wherever it stands in what was encoded. */
export function byteSpellings(secret: string): readonly Spelling[] {
  const bytes = [...Buffer.from(secret)];
  return [
    bytes.map((byte, at) => `${at === 0 ? '' : '(?:[ :,-]|0[xX]|, ?0[xX])?'}${hexadecimal(byte, 2)}`),
    bytes.map((byte, at) => `${at === 0 ? '(?<!\\d)' : ',\\s{0,16}'}${byte}`),
    ...[0, 1, 2].map((offset) => base64Spelling(bytes, offset)),
  ];
}

/** A run of what escapes others, as one: to try for each how often it was escaped would take for ever. */
function runUnit(run: string): string {
  const character = run.charAt(0);
  const most = run.length * (character === '%' ? 2 : 16);
  return anyOf([`(?:${escaped(character)}){${run.length}}`, `${literal(character)}{${run.length},${most}}`]);
}

function characterUnit(character: string): string {
  const bytes = [...Buffer.from(character)];
  return anyOf([
    ...(/\w/.test(character) ? [character] : []),
    escaped(character),
    ...otherForms(character),
    // After its escapes: it may be the beginning of one.
    ...(/\w/.test(character) ? [] : [`\\\\${times.slashes}${literal(character)}`]),
    ...(bytes.length > 1 ? [literal(Buffer.from(bytes).toString('latin1'))] : []),
  ]);
}

/** A character by its number or its name. */
function escaped(character: string): string {
  const bytes = [...Buffer.from(character)];
  const code = character.codePointAt(0) ?? 0;
  const each = (write: (byte: number) => string): string => bytes.map(write).join('');
  const halves = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const slash = `\\\\${times.slash}`;
  return [
    each((byte) => `%(?:25)${times.percent}${hexadecimal(byte, 2)}`),
    halves.map((half) => `${slash}u${hexadecimal(half, 4)}`).join(''),
    `${slash}u\\{0${times.zeros}${hexadecimal(code, 1)}\\}`,
    each((byte) => `${slash}x${hexadecimal(byte, 2)}`),
    each((byte) => `${slash}${byte.toString(8).padStart(3, '0')}`),
    `&(?:amp;)${times.entity}(?:${entityOf(character, code)});`,
  ].join('|');
}

function entityOf(character: string, code: number): string {
  const names = entityNames[character] ?? [];
  return [`#0${times.zeros}${code}`, `#[xX]0${times.zeros}${hexadecimal(code, 1)}`, ...names].join('|');
}

/** What only some characters are written as. */
function otherForms(character: string): readonly string[] {
  const letter = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' }[character];
  if (letter !== undefined) return [`\\\\${times.slash}${letter}`, ...(character === '\n' ? ['\r\n'] : [])];
  if (character === ' ') return ['\\+'];
  if (character === "'") return ["'\\\\''"];
  return character === '&' ? [`&(?:amp;)${times.slash}`] : [];
}

/** Digits at the edges hold bits of what stands beside the secret: each that is possible is one of it. */
function base64Spelling(bytes: readonly number[], offset: number): Spelling {
  const known = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const bits = `${'.'.repeat(offset * 8)}${known}`;
  const groups = bits.match(/.{1,6}/g) ?? [];
  const units = groups.map((group) => group.padEnd(6, '.')).filter((group) => group !== '......');
  const [padding] = [anyOf(['=', characterUnit('=')])];
  return units.map((group, at) => `${base64Unit(group)}${at === units.length - 1 ? `${padding}{0,2}` : ''}`);
}

/** The units of the digits that were spelled before: there are few, and each secret has many. */
const base64Units = new Map<string, string>();

function base64Unit(group: string): string {
  const known = base64Units.get(group) ?? newBase64Unit(group);
  base64Units.set(group, known);
  return known;
}

function newBase64Unit(group: string): string {
  const fitting = new RegExp(`^${group}$`);
  const digits = base64Digits.split('').filter((_, value) => fitting.test(value.toString(2).padStart(6, '0')));
  const plain = digits.filter((digit) => /\w/.test(digit)).join('');
  return anyOf([
    ...(plain === '' ? [] : [`[${plain}]`]),
    ...(digits.includes('+') ? ['-', characterUnit('+')] : []),
    ...(digits.includes('/') ? ['_', characterUnit('/')] : []),
  ]);
}

/** In letters of either case. */
function hexadecimal(number: number, width: number): string {
  const digits = number.toString(16).padStart(width, '0');
  return digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function anyOf(alternatives: readonly string[]): string {
  return alternatives.length === 1 ? alternatives[0]! : `(?:${alternatives.join('|')})`;
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * The names that HTML has for characters of ASCII.
 *
 * @see https://html.spec.whatwg.org/multipage/named-characters.html
 */
export const entityNames: Readonly<Record<string, readonly string[]>> = {
  '\t': ['Tab'],
  '\n': ['NewLine'],
  '!': ['excl'],
  '"': ['quot', 'QUOT'],
  '#': ['num'],
  $: ['dollar'],
  '%': ['percnt'],
  '&': ['amp', 'AMP'],
  "'": ['apos'],
  '(': ['lpar'],
  ')': ['rpar'],
  '*': ['ast', 'midast'],
  '+': ['plus'],
  ',': ['comma'],
  '.': ['period'],
  '/': ['sol'],
  ':': ['colon'],
  ';': ['semi'],
  '<': ['lt', 'LT'],
  '=': ['equals'],
  '>': ['gt', 'GT'],
  '?': ['quest'],
  '@': ['commat'],
  '[': ['lsqb', 'lbrack'],
  '\\': ['bsol'],
  ']': ['rsqb', 'rbrack'],
  '^': ['Hat'],
  _: ['lowbar', 'UnderBar'],
  '`': ['grave', 'DiacriticalGrave'],
  '{': ['lcub', 'lbrace'],
  '|': ['verbar', 'vert', 'VerticalLine'],
  '}': ['rcub', 'rbrace'],
};
