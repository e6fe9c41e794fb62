import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { longest, spread } from './longestFirst.ts';

test('the files that begin first exist, and each is named once', () => {
  expect(longest.filter((name) => !existsSync(join(import.meta.dirname, `${name}.test.ts`)))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});

test('files that compute are spread among those that wait', () => {
  expect(spread(['a', 'b', 'c', 'd', 'e', 'f'], ['1', '2'])).toEqual(['a', 'b', '1', 'c', 'd', 'e', '2', 'f']);
});
