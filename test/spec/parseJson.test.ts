import fc from 'fast-check';
import { expect, test } from 'vitest';

import { isDeep, parseJson, TooDeep } from '../../spec/parseJson.ts';

const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);

test('reads what nests as deeply as it may, and nothing that nests deeper', () => {
  expect(parseJson(nested(256))).toEqual(JSON.parse(nested(256)));
  expect(() => parseJson(nested(258))).toThrow(TooDeep);
  expect(() => parseJson('['.repeat(1_000_000))).toThrow(TooDeep);
  expect(() => parseJson('[1')).toThrow(SyntaxError);
});

test('counts no bracket that stands in a string', () => {
  const text = JSON.stringify({ '[[[[': '"\\"{{{{', a: '\\' });
  expect(isDeep(text, 1)).toBe(false);
  expect(isDeep('"[[[[[[', 1)).toBe(false);
});

test('any value of JSON nests as deeply as its members say', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      const depth = depthOf(value);
      expect(isDeep(text, depth)).toBe(false);
      expect(depth === 0 || isDeep(text, depth - 1)).toBe(true);
    }),
  );
});
