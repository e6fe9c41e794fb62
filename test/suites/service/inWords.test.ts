import { expect, test } from 'vitest';

import { inWords } from '../../../suites/service/updates/updated.ts';

test.each([
  [undefined, 'gone'],
  [null, 'null'],
  [false, 'false'],
  [['a', 'b', 'c', 'd'], '["a","b","c","d"]'],
  [['a', 'b', 'c', 'd', 'e'], '["a","b","c", and 2 more]'],
])('%j is %s', (value, words) => {
  expect(inWords(value)).toBe(words);
});
