import { describe, expect, it } from 'vitest';

import { createDereference } from '../../spec/pointer.ts';

const document = {
  a: { type: 'string', description: 'one' },
  'with/slash': { 'til~de': { type: 'integer' } },
  'per cent': { type: 'null' },
  list: [{ type: 'boolean' }],
};
const dereference = createDereference(document);

describe('a reference', () => {
  it.each([
    ['#/a', document.a],
    ['#/with~1slash/til~0de', { type: 'integer' }],
    ['#/per%20cent', { type: 'null' }],
    ['#/list/0', { type: 'boolean' }],
  ])('%s is written out', ($ref, expected) => {
    expect(dereference({ $ref })).toEqual(expected);
  });

  it('gives way to the annotations beside it', () => {
    expect(dereference({ $ref: '#/a', description: 'two', 'x-gap': 'G' })).toEqual({
      type: 'string',
      description: 'two',
      'x-gap': 'G',
    });
  });

  it('holds together with the keywords beside it', () => {
    expect(dereference({ $ref: '#/a', minLength: 1, allOf: [true] })).toEqual({
      allOf: [document.a, true],
      minLength: 1,
    });
  });

  it('is no reference within data, and no keyword as the name of a member', () => {
    const data = { const: { $ref: '#/nowhere' }, enum: [{ $ref: '#/nowhere' }] };
    expect(dereference(data)).toEqual(data);
    const named = { properties: { default: { $ref: '#/a' }, $ref: { type: 'string' } } };
    expect(dereference(named)).toEqual({ properties: { default: document.a, $ref: { type: 'string' } } });
  });

  it.each(['#/b', '#/a/type/0', '#a', '#/list/length', '#/%zz', 'other.yaml#/a', '#/toString'])(
    '%s leads nowhere',
    ($ref) => {
      expect(() => dereference({ $ref })).toThrow(expect.objectContaining({ code: 'contract/unresolvable-reference' }));
    },
  );
});
