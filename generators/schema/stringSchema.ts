import formatKeywords from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Arbitrary } from 'fast-check';

import { probedFilter, type SchemaChoices, type SchemaContext, UnsupportedSchema } from './schemaContext.ts';
import type { SchemaObjectPlace } from './schemaCases.ts';
import { stringFormat, stringFormats } from './stringFormat.ts';
import { matching } from './stringMatching.ts';
import { base64Text, text } from './text.ts';

/** What one keyword of one schema asks of a string. */
interface Demand {
  readonly part: SchemaObjectPlace;
  readonly keyword: 'format' | 'pattern' | 'minLength' | 'maxLength';
  readonly isMet: (value: string) => boolean;
}

/**
 * For strings that meet `minLength`, `maxLength` (code points), `pattern` and `format` of all the schemas. The caller's
 * own source makes the strings where enough of them are valid, else a format, else a pattern, else the lengths; the others
 * then filter. What has an encoding and no more is text of that encoding. Undefined where there are none.
 *
 * @param at - the place in the generated value, where it is fixed
 * @throws UnsupportedSchema for a format that is not known, and where too few strings pass the filters
 */
export function stringSchema(
  parts: readonly SchemaObjectPlace[],
  context: SchemaContext,
  at: string | undefined,
): Arbitrary<string> | undefined {
  const minLength = Math.max(0, ...parts.map(({ schema }) => schema.minLength ?? 0));
  const maxLength = Math.min(...parts.map(({ schema }) => schema.maxLength ?? Infinity));
  if (minLength > maxLength) return undefined;
  const { options } = context;
  const made = parts.map(({ schema }) => options.strings(schema, at)).find((source) => source !== undefined);
  const [maker, ...others] = [...formats(parts), ...patterns(parts)];
  const demands = [...others, ...lengths(parts)];
  const given = made && validOf(made, [...(maker ? [maker] : []), ...demands]);
  if (given !== undefined) return given;
  if (maker !== undefined) return madeToMeet(maker, demands, context, [minLength, maxLength]);
  return (
    encoded(parts, [minLength, maxLength]) ??
    text({ kind: options.text, nul: options.nul, minLength, ...(maxLength < Infinity && { maxLength }) })
  );
}

/** An encoding is an annotation, and readers decode the text. Undefined where there is none that is known here. */
function encoded(parts: readonly SchemaObjectPlace[], range: readonly [number, number]): Arbitrary<string> | undefined {
  const encoding = parts.map(({ schema }) => schema['contentEncoding']).find((each) => each !== undefined);
  return encoding === 'base64' || encoding === 'base64url' ? base64Text(encoding, range) : undefined;
}

/** Undefined where too few of a source's strings are valid: an example may break its own schema. */
function validOf(strings: Arbitrary<string>, demands: readonly Demand[]): Arbitrary<string> | undefined {
  try {
    return filtered(strings, demands);
  } catch (error) {
    if (error instanceof UnsupportedSchema) return undefined;
    throw error;
  }
}

/** @param range - the least and the most code points, which are built in where too few strings have them by chance */
function madeToMeet(
  maker: Demand,
  demands: readonly Demand[],
  { options }: SchemaContext,
  range: readonly [least: number, most: number],
): Arbitrary<string> {
  try {
    return filtered(madeFor(maker, options), demands);
  } catch (error) {
    const { keyword, part } = maker;
    const longer = keyword === 'pattern' ? withLength(part.schema.pattern ?? '', ...range) : undefined;
    if (longer === undefined || !(error instanceof UnsupportedSchema)) throw error;
    return filtered(matching(longer, `${part.pointer}/pattern`), demands);
  }
}

function filtered(strings: Arbitrary<string>, demands: readonly Demand[]): Arbitrary<string> {
  return demands.reduce(
    (passed, { part, keyword, isMet }) => probedFilter(passed, isMet, `${part.pointer}/${keyword}`, keyword),
    strings,
  );
}

function madeFor({ part: { schema, pointer }, keyword }: Demand, options: SchemaChoices): Arbitrary<string> {
  if (keyword === 'pattern') return matching(schema.pattern as string, `${pointer}/pattern`);
  const format = stringFormat(schema.format as string, options);
  if (format !== undefined) return format;
  const advice = `Valid formats are ${stringFormats.join(', ')}. Use one of them, or a pattern.`;
  throw new UnsupportedSchema(`${pointer}/format`, 'format', `the format is '${schema.format}'`, advice);
}

function formats(parts: readonly SchemaObjectPlace[]): readonly Demand[] {
  return parts.flatMap((part): Demand[] => {
    const { format } = part.schema;
    return format === undefined ? [] : [{ part, keyword: 'format', isMet: (value) => isOfFormat(format, value) }];
  });
}

const ajv = new Ajv2020({ strict: false, logger: false });

formatKeywords.default(ajv);

/** A format means the same in every schema: each is compiled once. */
const formatValidators = new Map<string, (value: string) => boolean>();

function isOfFormat(format: string, value: string): boolean {
  const validate = formatValidators.get(format) ?? ajv.compile<string>({ type: 'string', format });
  formatValidators.set(format, validate);
  return validate(value);
}

function patterns(parts: readonly SchemaObjectPlace[]): readonly Demand[] {
  return parts.flatMap((part) => {
    if (part.schema.pattern === undefined) return [];
    const pattern = new RegExp(part.schema.pattern, 'u');
    return [{ part, keyword: 'pattern' as const, isMet: (value: string) => pattern.test(value) }];
  });
}

function lengths(parts: readonly SchemaObjectPlace[]): readonly Demand[] {
  return parts.flatMap((part): Demand[] => {
    const { minLength, maxLength } = part.schema;
    const least: Demand = { part, keyword: 'minLength', isMet: (value) => lengthOf(value) >= (minLength ?? 0) };
    const most: Demand = { part, keyword: 'maxLength', isMet: (value) => lengthOf(value) <= (maxLength ?? Infinity) };
    return [...(minLength === undefined ? [] : [least]), ...(maxLength === undefined ? [] : [most])];
  });
}

/** JSON Schema counts code points, not UTF-16 code units. */
function lengthOf(value: string): number {
  return value.length - (value.match(pairs)?.length ?? 0);
}

/** Two code units that are one code point. */
const pairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Beyond the least, a text that may be of any length is at most this much longer. */
const usual = 10;

/**
 * The pattern of one character repeated, such as `^[a-z0-9]+$`, as one that says how often. Undefined for any other.
 *
 * @param most - may be Infinity
 */
function withLength(pattern: string, least: number, most: number): string | undefined {
  const [, character, sign] = /^\^(\[(?:[^\]\\]|\\.)+\]|\\[dw])([*+])\$$/su.exec(pattern) ?? [];
  if (character === undefined) return undefined;
  const from = Math.max(least, sign === '+' ? 1 : 0);
  return from > most ? undefined : `^${character}{${from},${Math.min(most, from + usual)}}$`;
}
