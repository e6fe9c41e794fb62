import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { describeReceiver, toConform } from '../../../../runner/testing/vitest.ts';
import { count, secret, shop } from './shop.ts';

const given = { url: '/hooks', secret, intensity: 'quick', settle: 100, seed: 1 } as const;

describeReceiver('forgetful', {
  ...given,
  app: () => shop({ forgetful: true }),
  probe: (id) => count(id),
  only: ['receiver/idempotency/takes-effect-once', 'receiver/signature/refusal', 'receiver/source/other-address'],
});

describeReceiver('known', {
  ...given,
  app: shop({ forgetful: true }),
  probe: async (id) => Promise.resolve(count(id)),
  only: [
    'receiver/idempotency/takes-effect-once',
    'receiver/idempotency/concurrent-copies',
    'receiver/signature/refusal',
  ],
  expectFailures: [
    { id: 'receiver/idempotency/takes-effect-once', reason: 'the ids come next' },
    { id: 'IDM-3', reason: 'so does the index' },
    { id: 'receiver/signature/refusal', reason: 'long fixed' },
  ],
});

describeReceiver('started', {
  ...given,
  start: {
    command: `"${process.execPath}" "${join(import.meta.dirname, 'started.ts')}"`,
    wait: { stdout: /on (?<port>\d+)/ },
  },
  secretEnv: 'WEBHOOK_SECRET',
  only: 'receiver/signature/refusal',
});

describeReceiver('absent', { ...given, url: 'http://127.0.0.1:9/hooks', only: 'receiver/signature/refusal' });

describeReceiver('required', {
  ...given,
  app: shop(),
  only: ['receiver/signature/refusal', 'SRC-1'],
  require: 'SRC-1',
});

describe('in one assertion', { timeout: 60_000, retry: 0 }, () => {
  expect.extend({ toConform });

  test('conforms', async () => {
    await expect(shop()).toConform({ ...given, only: 'receiver/signature/refusal' });
  });

  test('does not conform', async () => {
    const app = shop({ forgetful: true });
    await expect(app).toConform({ ...given, probe: count, only: 'receiver/idempotency/takes-effect-once' });
  });
});
