import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anyJson } from '../../../generators/schema/anyJson.ts';
import { fromPointer, toPointer, valueAt, withId, withPointer } from '../../../generators/index.ts';
import { loadContract } from '../../../spec/contract.ts';

const choices = {
  text: 'unicode',
  nul: true,
  timestamps: 'any',
  numbers: 'any',
  strings: () => undefined,
  nestedItems: undefined,
  passOver: undefined,
} as const;

describe('JSON pointers', () => {
  // The examples of RFC 6901, section 5.
  const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'm~n': 8, ' ': 7 };

  test.each([
    ['', document],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/m~0n', 8],
    ['/ ', 7],
    ['/foo/2', undefined],
    ['/foo/00', undefined],
    ['/toString', undefined],
  ])('%j leads to %j', (pointer, value) => {
    expect(valueAt(document, pointer)).toEqual(value);
  });

  test('tokens survive being written and read', () => {
    const property = fc.property(fc.array(fc.string()), (tokens) => {
      expect(fromPointer(toPointer(tokens))).toEqual(tokens);
    });
    fc.assert(property, { seed: 1 });
  });

  test('what does not begin with a slash is none', () => {
    expect(() => fromPointer('data/id')).toThrow("'data/id' is no JSON Pointer");
  });
});

describe('withPointer', () => {
  test('puts the value there and leaves the original alone', () => {
    const original = { data: { id: 'a', list: [1, 2] }, other: {} };
    const changed = withPointer(original, '/data/list/1', 9);
    expect(changed).toEqual({ data: { id: 'a', list: [1, 9] }, other: {} });
    expect(original.data.list).toEqual([1, 2]);
    expect((changed as typeof original).other).toBe(original.other);
  });

  test('replaces the whole value, and adds members', () => {
    expect(withPointer({ a: 1 }, '', 2)).toBe(2);
    expect(withPointer({ a: 1 }, '/b', 2)).toEqual({ a: 1, b: 2 });
  });

  test('adds __proto__ as a member like any other', () => {
    const changed = withPointer({}, '/__proto__', { polluted: true });
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
  });

  test('what it puts somewhere is found there', () => {
    const property = fc.property(anyJson(choices), anyJson(choices), (inner, value) => {
      expect(valueAt(withPointer({ a: [inner] }, '/a/0', value), '/a/0')).toEqual(value);
    });
    fc.assert(property, { seed: 1 });
  });

  test.each([
    ['/data/x/y', "The pointer '/data/x/y' leads nowhere: it ends at '/data'."],
    ['/list/7', "The pointer '/list/7' leads nowhere: it ends at '/list'."],
  ])('refuses %s', (pointer, message) => {
    expect(() => withPointer({ data: {}, list: [] }, pointer, 1)).toThrow(message);
  });
});

describe('withId', () => {
  test('is the same notification under another id', () => {
    const notification = { event: 'a.b', value: { data: { id: '1', type: 't' } } };
    expect(withId(loadContract(), notification, '2')).toEqual({
      event: 'a.b',
      value: { data: { id: '2', type: 't' } },
    });
  });
});
