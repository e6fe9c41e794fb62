import fc from 'fast-check';
import { expect, test } from 'vitest';

import { wholeList } from '../../generators/index.ts';
import { obeysTheLaws } from './laws.ts';

const items = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

obeysTheLaws('wholeList', {
  arbitrary: () => wholeList(items),
  isValid: (value) => value.length > 0 && value.join() === items.filter((item) => value.includes(item)).join(),
});

test('every value is the whole list', () => {
  expect(fc.sample(wholeList(items), { seed: 1, numRuns: 20 })).toEqual(Array.from({ length: 20 }, () => items));
});

test.each(items)('shrinks to %s alone, where that is what matters', (item) => {
  const { counterexample } = fc.check(
    fc.property(wholeList(items), (value) => !value.includes(item)),
    { seed: 1 },
  );
  expect(counterexample).toEqual([[item]]);
});
