import { describe, expect, it } from 'vitest';

import { simplify } from '../../spec/compile.ts';

describe('simplifying', () => {
  it('merges properties at any depth, and drops an enum that a const makes needless', () => {
    const left = {
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'object', properties: { b: { type: 'string', enum: ['x', 'y'] }, c: { type: 'integer' } } },
      },
    } as const;
    const right = {
      type: 'object',
      required: ['z'],
      properties: { a: { type: 'object', properties: { b: { const: 'x' } } }, z: true },
    } as const;
    expect(simplify({ allOf: [left, right], description: 'Both.' })).toEqual({
      type: 'object',
      required: ['a', 'z'],
      properties: {
        a: { type: 'object', properties: { b: { type: 'string', const: 'x' }, c: { type: 'integer' } } },
        z: true,
      },
      description: 'Both.',
    });
  });

  it.each([
    ['two minimums', { allOf: [{ type: 'integer', minimum: 1 }, { minimum: 2 }] }],
    ['two types', { allOf: [{ type: 'integer' }, { type: 'number' }] }],
    ['a const that the enum does not list', { allOf: [{ enum: ['a'] }, { const: 'b' }, { const: 'c' }] }],
    [
      'additionalProperties',
      { allOf: [{ properties: { a: true }, additionalProperties: false }, { properties: { b: true } }] },
    ],
    ['unevaluatedProperties', { allOf: [{ properties: { a: true } }], unevaluatedProperties: false }],
    ['prefixItems beside items', { allOf: [{ prefixItems: [true] }, { items: false }] }],
    ['contains beside minContains', { allOf: [{ contains: true }, { minContains: 2 }] }],
    ['if beside else', { allOf: [{ if: { const: 1 } }, { else: false }] }],
    ['a schema that takes nothing', { allOf: [{ type: 'string' }, false] }],
  ] as const)('leaves %s alone', (_, schema) => {
    expect(simplify(schema)).toEqual(schema);
  });

  it('reaches into every subschema', () => {
    const merged = { type: 'string', minLength: 1 };
    const parts = { allOf: [{ type: 'string' }, { minLength: 1 }] } as const;
    expect(simplify({ items: parts, anyOf: [parts], patternProperties: { '^a': parts }, not: parts })).toEqual({
      items: merged,
      anyOf: [merged],
      patternProperties: { '^a': merged },
      not: merged,
    });
  });
});
