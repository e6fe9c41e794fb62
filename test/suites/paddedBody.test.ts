import { expect, test } from 'vitest';

import { paddedBody } from '../../suites/receiver/robustness/hostileBodies.ts';

test('a padded body has one more member of so many letters', () => {
  expect(paddedBody(Buffer.from('{"a":"ä"}'), 'x', 3).toString()).toBe('{"a":"ä","x":"xxx"}');
  expect(paddedBody(Buffer.from('{}'), 'x', 0).toString()).toBe('{"x":""}');
});
