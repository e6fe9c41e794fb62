import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { receiverFaults, subtleFaultNames } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { type RunningReceiver, startReceiver } from '../../reference/receiver/receiver.ts';
import { subtleDemonstrations } from './demonstrations/subtle.ts';
import { notification, Target } from './target.ts';
import { shown } from './shown.ts';

const secrets = ['whsec-only'];

let conforming: RunningReceiver;

beforeAll(async () => {
  conforming = await startReceiver({ secrets });
});

afterAll(() => conforming.close());

/** Runs an action against a receiver with this fault. */
async function against<T>(name: string, action: (target: Target) => Promise<T>): Promise<T> {
  const receiver = await startReceiver({ secrets, policies: receiverFaults[name]!.change(conformingPolicies) });
  try {
    return await action(new Target(receiver, secrets));
  } finally {
    await receiver.close();
  }
}

test('every subtle fault has a demonstration, and every demonstration a fault', () => {
  expect(Object.keys(subtleDemonstrations)).toEqual(subtleFaultNames);
});

describe.each(Object.entries(subtleDemonstrations))('%s', (name, { show }) => {
  test('still accepts a plain delivery, which takes effect once, and so does its redelivery', () =>
    against(name, async (target) => {
      const id = '6a1f0c5e-3c1b-4d58-9a53-0f5d7a1e2b4c';
      expect((await target.send({ body: notification(id) })).status).toBe(202);
      expect((await target.send({ body: notification(id) })).status).toBe(200);
      expect(await target.settledEffects(id)).toBe(1);
    }));

  test('shows its fault, which the conforming receiver does not', async () => {
    expect(await shown(() => against(name, show))).toBe(true);
    expect(await show(new Target(conforming, secrets))).toBe(false);
  });
});
