import { expect, test } from 'vitest';

import { firstAttempts } from '../../../../suites/fuzz/service/yardstick.ts';
import type { Webhook } from '../../../../suites/serviceKit.ts';

test('what others made to happen meanwhile is not taken for a retry', () => {
  const caught = ['own', 'own', 'of another', 'own', 'of another'].map((key) => ({ key }));
  const webhook = { endpoint: { caught } } as unknown as Webhook;
  expect(firstAttempts(webhook).map(({ key }) => key)).toEqual(['own', 'own', 'own']);
  expect(firstAttempts({ endpoint: { caught: [] } } as unknown as Webhook)).toEqual([]);
});
