import fc, { type Arbitrary } from 'fast-check';

import type { SchemaChoices } from './schemaContext.ts';
import { base64Text, text } from './text.ts';
import { timestamp, type TimestampForm } from './timestamp.ts';

type FormatArbitrary = (options: SchemaChoices) => Arbitrary<string>;

const day = () =>
  fc.integer({ min: 0, max: 36_524 }).map(toDay, (value) => Date.parse(stringOf(value)) / 86_400_000 - first);

const lower = { num: 26, build: (index: number) => String.fromCodePoint(0x61 + index) };
const upper = { num: 26, build: (index: number) => String.fromCodePoint(0x41 + index) };
const digits = { num: 10, build: String };
const marks = { num: 17, build: (index: number) => "-._~!$&'()*+,;=:@".charAt(index) };

/** Draws and shrinks as `fc.webUrl` does, which takes a second and 140 MB to list every code point. */
const url = () => {
  const any = fc.nat({ max: 0x10f7ff }).map(toCharacter, toIndex);
  const escaped = fc
    .string({ unit: any, minLength: 1, maxLength: 1 })
    .map(toEscaped, (value) => decodeURIComponent(stringOf(value)));
  const unit = fc.oneof(
    { weight: 10, arbitrary: fc.mapToConstant(lower, upper, digits, marks) },
    { weight: 1, arbitrary: escaped },
  );
  const path = fc.array(fc.string({ unit, size: 'xsmall' }), { size: 'xsmall' });
  return fc.tuple(fc.webAuthority({ size: 'xsmall' }), path).map(toUrl, toUrlParts);
};
const pointer = () =>
  fc
    .array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 })
    .map((names) => names.map((name) => `/${name}`).join(''));
/** RFC 6570 takes no apostrophes. */
const isPlain = (text: string): boolean => !text.includes("'");

/** Expressions of RFC 6570, as APIs write them: `{/sha}`, `{?page,limit}`, `{owner}`. */
const parameters = () => {
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  const names = fc.array(name, { minLength: 1, maxLength: 3 }).map((each) => each.join(','));
  return fc
    .array(
      fc.tuple(fc.constantFrom('', '/', '?', '&', '#', '+'), names).map(([operator, list]) => `{${operator}${list}}`),
      { maxLength: 2 },
    )
    .map((expressions) => expressions.join(''));
};
const timeOfDay = (form: TimestampForm) =>
  timestamp({ form }).map(
    (moment) => moment.slice(11),
    (value) => `2000-01-01T${stringOf(value)}`,
  );

/** Every format that can be generated. What they mean: JSON Schema 2020-12, Validation, section 7.3; OpenAPI 3.1, 4.4. */
const formats: Readonly<Record<string, FormatArbitrary>> = {
  uuid: () => fc.uuid(),
  uri: url,
  url,
  'uri-reference': url,
  'uri-template': () => fc.tuple(url().filter(isPlain), parameters()).map((parts) => parts.join('')),
  'date-time': ({ timestamps }) => timestamp({ form: timestamps }),
  date: day,
  time: ({ timestamps }) => timeOfDay(timestamps),
  'iso-time': ({ timestamps }) => timeOfDay(timestamps),
  'iso-date-time': ({ timestamps }) => timestamp({ form: timestamps }),
  duration: () =>
    fc.nat(999).map(
      (days) => `P${days}D`,
      (value) => Number(/^P(\d+)D$/.exec(stringOf(value))?.[1] ?? Number.NaN),
    ),
  email: () => fc.emailAddress({ size: 'xsmall' }),
  hostname: () => fc.domain({ size: 'xsmall' }),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  regex: () => fc.stringMatching(/^[a-z]{0,8}$/),
  'json-pointer': pointer,
  'relative-json-pointer': () => fc.tuple(fc.nat(9), pointer()).map(([levels, rest]) => `${levels}${rest}`),
  'json-pointer-uri-fragment': () => pointer().map((path) => `#${path}`),
  byte: () => base64Text('base64')!,
  binary: ({ text: kind, nul }) => text({ kind, nul }),
  password: ({ text: kind, nul }) => text({ kind, nul }),
};

/** Each takes milliseconds to make, and a document may ask for the same one a thousand times. */
const known = new Map<string, Arbitrary<string> | undefined>();

/** For strings of a format, or undefined where the format is not known. */
export function stringFormat(format: string, options: SchemaChoices): Arbitrary<string> | undefined {
  const key = [format, options.text, options.nul, options.timestamps].join(' ');
  if (!known.has(key)) known.set(key, Object.hasOwn(formats, format) ? formats[format]?.(options) : undefined);
  return known.get(key);
}

/** The formats that can be generated, for messages. */
export const stringFormats: readonly string[] = Object.keys(formats);

/** A character by its place among all that are no surrogates. */
function toCharacter(index: number): string {
  return String.fromCodePoint(index < 0xd800 ? index : index + 0x800);
}

function toIndex(value: unknown): number {
  const code = stringOf(value).codePointAt(0) ?? Number.NaN;
  const index = code < 0xd800 ? code : code - 0x800;
  if (toCharacter(index) !== value) throw new Error('not one character');
  return index;
}

function toEscaped(character: string): string {
  const escaped = encodeURIComponent(character);
  return escaped === character ? `%${character.codePointAt(0)?.toString(16)}` : escaped;
}

function toUrl([authority, segments]: readonly [string, readonly string[]]): string {
  return ['https:/', authority, ...segments].join('/');
}

function toUrlParts(value: unknown): [string, string[]] {
  const [, authority = '', path = ''] = /^https:\/\/([^/?#]*)([^?#]*)$/.exec(stringOf(value)) ?? [];
  if (authority === '') throw new Error('not a URL');
  return [authority, path.split('/').slice(1)];
}

/** Days from 1970-01-01 to 2000-01-01. */
const first = Date.UTC(2000, 0, 1) / 86_400_000;

function toDay(days: number): string {
  return new Date((first + days) * 86_400_000).toISOString().slice(0, 10);
}

function stringOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('not a string');
  return value;
}
