import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { smallestOf } from '../../../runner/engine/cases.ts';
import { schemaArbitrary, UnsupportedSchema, valueAt, type Json } from '../../../generators/index.ts';
import { stringFormats } from '../../../generators/schema/stringFormat.ts';
import type { JsonSchema } from '../../../spec/jsonSchema.ts';
import { obeysTheLaws } from '../laws.ts';
import { schemas } from '../schemas.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

function validator(schema: JsonSchema): (value: Json) => boolean {
  const validate = ajv.compile(schema);
  return (value) => validate(value) && isInterchangeableJson(value);
}

/** I-JSON (RFC 7493), and nothing that `JSON.stringify` changes. */
function isInterchangeableJson(value: Json): boolean {
  const text = JSON.stringify(value);
  const survives = JSON.stringify(JSON.parse(text)) === text;
  return (
    survives && text.isWellFormed() && !/\\ud[89a-f]|\p{Noncharacter_Code_Point}/u.test(text) && !Object.is(value, -0)
  );
}

const fixed = new Set(['const beside enum', 'an escaped reference']);

describe('schemaArbitrary', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    const common = { isValid: validator(schema), shrinks: !fixed.has(name), draws: 60 };
    obeysTheLaws(name, { ...common, arbitrary: () => schemaArbitrary(schema) });
  }
  for (const [name, schema] of Object.entries(schemas)) {
    test(`${name}, with all of Unicode`, () => {
      const arbitrary = schemaArbitrary(schema, { text: 'unicode', nul: true, timestamps: 'any', numbers: 'plain' });
      const isValid = validator(schema);
      expect(fc.sample(arbitrary, { seed: 2, numRuns: 60 }).filter((value) => !isValid(value))).toEqual([]);
    });
  }
});

describe('the formats', () => {
  for (const format of stringFormats) {
    const schema = { type: 'string', format } as const;
    obeysTheLaws(format, { arbitrary: () => schemaArbitrary(schema), isValid: validator(schema) });
  }
});

describe('what the values are like', () => {
  const draw = (schema: JsonSchema, options = {}): Json[] =>
    fc.sample(schemaArbitrary(schema, options), { seed: 5, numRuns: 300 });

  const drawText = (options = {}): string => (draw({ type: 'string' }, options) as string[]).join('');

  test('every alternative, listed value, optional member and length comes up', () => {
    expect(new Set(draw({ enum: ['a', 'b', 'c'] }))).toEqual(new Set(['a', 'b', 'c']));
    expect(new Set(draw({ type: ['null', 'boolean'] }))).toEqual(new Set([null, true, false]));
    const lengths = draw({ type: 'array', items: { type: 'null' }, maxItems: 3 }).map(
      (value) => (value as Json[]).length,
    );
    expect(new Set(lengths)).toEqual(new Set([0, 1, 2, 3]));
    const long = draw({ type: 'array', items: { type: 'null' }, maxItems: 20 }).map(
      (value) => (value as Json[]).length,
    );
    expect(new Set(long)).toEqual(new Set(Array.from({ length: 21 }, (_, length) => length)));
    const objects = draw({ type: 'object', properties: { a: { type: 'null' } } }).map((value) => JSON.stringify(value));
    expect(new Set(objects)).toEqual(new Set(['{}', '{"a":null}']));
  });

  test('recursion is three levels deep at most', () => {
    const depths = draw(schemas['recursion through the root'] as JsonSchema).map((value) => JSON.stringify(value));
    expect(new Set(depths)).toEqual(
      new Set(['null', '{"next":null}', '{"next":{"next":null}}', '{"next":{"next":{"next":null}}}']),
    );
  });

  test('ascii text is printable ASCII, unicode text has everything but what I-JSON rules out', () => {
    const ascii = drawText();
    expect(ascii).toMatch(/^[ -~]+$/);
    const unicode = drawText({ text: 'unicode' });
    for (const sought of [
      '\u2028',
      '\u2029',
      '"',
      '\\',
      '/',
      '\u0001',
      '\u007f',
      '😀',
      '\u0301',
      'ש',
      '\u202e',
      '\n',
    ]) {
      expect(unicode).toContain(sought);
    }
    expect(unicode).not.toContain('\0');
    expect(drawText({ text: 'unicode', nul: true })).toContain('\0');
  });

  test.each<[string, JsonSchema, RegExp]>([
    [
      'base64',
      { contentEncoding: 'base64', minLength: 3, maxLength: 21 },
      /^(?=.{4,20}$)([\w+/]{4})*[\w+/]{2}[\w+/=]{2}$/,
    ],
    ['base64url', { contentEncoding: 'base64url', minLength: 1, maxLength: 9 }, /^(?=.{4,8}$)([\w-]{4})+$/],
    ['byte', { format: 'byte' }, /^([\w+/]{4})*([\w+/]{2}[\w+/=]{2})?$/],
  ])('text is written as an encoder writes it: %s', (_name, schema, form) => {
    const texts = draw({ type: 'string', ...(schema as object) }) as string[];
    expect(texts.filter((text) => !form.test(text))).toEqual([]);
    expect(
      texts.filter((text) => !['base64', 'base64url'].some((as) => isWritten(text, as as BufferEncoding))),
    ).toEqual([]);
  });

  test('an encoding that leaves no text of the length says nothing', () => {
    const texts = draw({ type: 'string', contentEncoding: 'base64', minLength: 1, maxLength: 3 }) as string[];
    expect(texts.join('')).toMatch(/[^\w+/=]/);
  });

  test('the plainest value of what may be null is something else', () => {
    expect(smallestOf(schemaArbitrary({ type: ['null', 'string', 'array'] }))).toBe('');
  });

  test('plain numbers are decimals', () => {
    const numbers = draw({ type: 'number' }, { numbers: 'plain' }) as number[];
    expect(numbers.filter((number) => number !== Number(number.toFixed(7)))).toEqual([]);
    expect(numbers.some((number) => !Number.isInteger(number))).toBe(true);
  });

  test('members can be put in place and left out by the caller', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' } },
      required: ['a'],
    } as const;
    const values = draw(schema, { members: { '/a': fc.constant(7), '/b': null } });
    expect(values.every((value) => valueAt(value, '/a') === 7 && valueAt(value, '/b') === undefined)).toBe(true);
  });
});

function isWritten(text: string, as: BufferEncoding): boolean {
  return Buffer.from(text, as).toString(as) === text;
}

describe('what cannot be honoured is refused', () => {
  test.each<[string, JsonSchema]>([
    ['an unknown keyword', { type: 'object', properties: { 'a/b': { minimumLength: 3 } } }],
    ['nullable', { type: 'string', nullable: true }],
    ['a dynamic reference', { $dynamicRef: '#a' }],
    ['an unknown format', { type: 'array', items: { type: 'string', format: 'iri' } }],
    ['a reference out of the schema', { $ref: 'https://example.com/schema' }],
    ['a reference to nothing', { properties: { a: { $ref: '#/$defs/b' } } }],
    ['false', false],
    ['bounds that exclude each other', { type: 'integer', minimum: 3, maximum: 2 }],
    ['types that exclude each other', { allOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['recursion without an end', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
    ['a pattern and lengths that hardly meet', { type: 'string', pattern: '^[a-z]*-?$', minLength: 40 }],
    ['a look-around that hardly anything meets', { type: 'string', pattern: '^(?=a)b?' }],
    ['a pattern that searches for ever', { type: 'string', pattern: '^(a+)+(?=b)x$' }],
    ['a pattern that cannot be turned round', { type: 'string', pattern: String.raw`\bword` }],
    ['not that refuses almost all', { type: 'string', not: { maxLength: 1000 } }],
    [
      'more different items than there are',
      { items: { type: 'integer', minimum: 0, maximum: 1 }, uniqueItems: true, minItems: 3 },
    ],
    ['more members than there are names', { type: 'object', propertyNames: { enum: ['a', 'b'] }, minProperties: 3 }],
    ['only whole numbers that lose digits', { type: 'integer', exclusiveMinimum: 2 ** 53 }],
    ['only negative whole numbers that lose digits', { type: 'integer', maximum: -(2 ** 53) }],
    ['more items than listed values', { type: 'array', items: { enum: [1, 2] }, uniqueItems: true, minItems: 3 }],
  ])('%s', (_name, schema) => {
    expect(() => schemaArbitrary(schema)).toThrow(UnsupportedSchema);
  });

  test('an alternative of whole numbers that lose digits, with the bound that asks for them', () => {
    const passed: string[] = [];
    const passOver = ({ pointer }: UnsupportedSchema): number => passed.push(pointer);
    const far = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 2 ** 53 } } };
    const values = fc.sample(schemaArbitrary({ oneOf: [{ type: 'null' }, far] } as JsonSchema, { passOver }));
    expect({ values: new Set(values), passed }).toEqual({
      values: new Set([null]),
      passed: ['/oneOf/1/properties/n/minimum'],
    });
  });

  test('with the place, the keyword and what to do', () => {
    expect(refusal({ properties: { 'a/b': { minimumLength: 3 } } })).toMatchInlineSnapshot(
      `"UnsupportedSchema: No values can be generated for 'minimumLength' at /properties/a~1b/minimumLength: the keyword is not known here. Use the keywords of JSON Schema 2020-12; an annotation of one's own begins with 'x-'."`,
    );
    expect(refusal({ type: 'string', nullable: true })).toMatchInlineSnapshot(
      `"UnsupportedSchema: No values can be generated for 'nullable' at /nullable: the keyword is not known here. Name the type 'null' beside the others: type: [string, 'null']."`,
    );
    expect(refusal({ items: { type: 'string', format: 'iri' } })).toMatchInlineSnapshot(
      `"UnsupportedSchema: No values can be generated for 'format' at /items/format: the format is 'iri'. Valid formats are uuid, uri, url, uri-reference, uri-template, date-time, date, time, iso-time, iso-date-time, duration, email, hostname, ipv4, ipv6, regex, json-pointer, relative-json-pointer, json-pointer-uri-fragment, byte, binary, password. Use one of them, or a pattern."`,
    );
    expect(refusal({ type: 'string', pattern: '^[a-z]*-?$', minLength: 40 })).toMatchInlineSnapshot(
      `"UnsupportedSchema: No values can be generated for 'minLength' at /minLength: of 30 values made for the keywords beside it, 0 meet it. Say it in a way that builds values instead: narrow the keywords beside it, or list the values in an enum."`,
    );
    expect(refusal({ properties: { a: { $ref: '#/b' } } })).toMatchInlineSnapshot(
      `"UnsupportedSchema: No values can be generated for '$ref' at /properties/a/$ref: '#/b' leads to no schema in here. Valid is a JSON Pointer or an $anchor within the same schema. Bundle what it refers to into $defs."`,
    );
    expect(refusal({ minimum: 3, maximum: 2 })).toMatchInlineSnapshot(
      `"UnsupportedSchema: No values can be generated for 'schema' at the root: no value is valid for it. Look for bounds that exclude each other, or for a recursion that has no end."`,
    );
  });

  test('the error names pointer and keyword for programs', () => {
    expect(caught({ items: { type: 'string', format: 'iri' } })).toMatchObject({
      pointer: '/items/format',
      keyword: 'format',
    });
  });
});

function caught(schema: JsonSchema): unknown {
  try {
    return schemaArbitrary(schema);
  } catch (error) {
    return error;
  }
}

function refusal(schema: JsonSchema): string {
  return String(caught(schema));
}
