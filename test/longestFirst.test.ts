import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { longest } from './longestFirst.ts';

test('the files that begin first exist, and each is named once', () => {
  expect(longest.filter((name) => !existsSync(join(import.meta.dirname, `${name}.test.ts`)))).toEqual([]);
  expect(new Set(longest).size).toBe(longest.length);
});
