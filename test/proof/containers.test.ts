import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { containersSkipped, containersSkippedWhy, type TestImage, testImage } from '../runner/process/testImage.ts';
import { layReceiver } from './containers/layReceiver.ts';
import { conclusively } from './conclusively.ts';
import { expectFound } from './expectFound.ts';
import { complaints, intensity, processChecks, testReceiver } from './testReceiver.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

const secret = 'a secret of the containers';

const ways = ['receiver/crash/known-ids', 'receiver/outage/paused', 'receiver/shutdown/in-flight'];

/** In CI one check for each way in which a container is held: killed and started again, paused, stopped. */
const ownChecks = processChecks.filter((id) => intensity === 'standard' || ways.includes(id));

/**
 * Crash faults, each with the check that finds it: to test each against all of them would take minutes. In CI the first:
 * what a container changes is how a receiver is killed and started again, which it shows.
 */
const faults = (
  [
    ['buffers-and-flushes-later', 'receiver/crash/acknowledged'],
    ['deduplicates-in-memory', 'receiver/crash/known-ids'],
    ['marks-before-it-processes', 'receiver/crash/unacknowledged'],
  ] as const
).slice(0, intensity === 'standard' ? 3 : 1);

describe.skipIf(containersSkipped)(`a receiver in a container${containersSkippedWhy}`, () => {
  let image: TestImage;

  beforeAll(async () => {
    image = await testImage('receiver', ['/usr/bin/node', '/start.mjs'], layReceiver);
  });

  afterAll(() => image.remove());

  async function hold(fault: string | undefined, only: readonly string[]): Promise<RunSummary> {
    const env = { SECRET: secret, ...(fault !== undefined && { FAULT: fault }) };
    const receiver = { url: '/hooks', probe: '/effects/{id}', close: async () => {} };
    return testReceiver(receiver, { image: image.name, port: 8080, env, secret: [secret], only, seed: 7 });
  }

  test.concurrent('that keeps the contract passes', { timeout: 180_000 }, async () => {
    expect(complaints(await conclusively(() => hold(undefined, ownChecks)))).toEqual([]);
  });

  test.concurrent.each(faults)('%s is found by %s', { timeout: 180_000 }, async (fault, check) => {
    const { breaks } = receiverFaults[fault]!;
    await expectFound({ breaks, proven: [check] }, () => hold(fault, [check]));
  });
});
