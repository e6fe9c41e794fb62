import fc, { type Arbitrary } from 'fast-check';

import type { SchemaChoices } from './schemaContext.ts';
import { text } from './text.ts';
import { timestamp, type TimestampForm } from './timestamp.ts';

type FormatArbitrary = (options: SchemaChoices) => Arbitrary<string>;

const day = () =>
  fc.integer({ min: 0, max: 36_524 }).map(toDay, (value) => Date.parse(stringOf(value)) / 86_400_000 - first);
const url = () => fc.webUrl({ validSchemes: ['https'], size: 'xsmall' });
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
  byte: () => fc.base64String(),
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

/** Days from 1970-01-01 to 2000-01-01. */
const first = Date.UTC(2000, 0, 1) / 86_400_000;

function toDay(days: number): string {
  return new Date((first + days) * 86_400_000).toISOString().slice(0, 10);
}

function stringOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('not a string');
  return value;
}
