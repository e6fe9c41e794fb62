import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { lifeDemonstrations, type LifeDemonstration } from './demonstrations/life.ts';
import { LivingTarget } from './livingTarget.ts';

/** Tries after which a fault counts as not shown. */
const tries = 5;

/** Runs an action against a receiver as a process, in a folder of its own. */
async function against<T>(fault: string | undefined, action: (living: LivingTarget) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-life-'));
  const living = new LivingTarget(join(folder, 'receiver.db'), fault);
  try {
    await living.start();
    return await action(living);
  } finally {
    await living.signal('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

test('every fault that takes a life to be seen has a demonstration, and every demonstration a fault', () => {
  const names = receiverFaultNames.filter((name) => {
    const { life, setting } = receiverFaults[name]!;
    return life === true && setting === undefined;
  });
  expect(Object.keys(lifeDemonstrations)).toEqual(names);
});

/** Whether one of a few tries shows it: the moment of a signal is chance. */
async function isShown(name: string, demonstrate: LifeDemonstration): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) if (await against(name, demonstrate)) return true;
  return false;
}

describe.concurrent('a receiver with the fault shows it', () => {
  test.each(Object.entries(lifeDemonstrations))('%s', async (name, demonstrate) => {
    expect(await isShown(name, demonstrate)).toBe(true);
  });
});

describe.concurrent('the conforming receiver does not show it', () => {
  const distinct = new Map(Object.entries(lifeDemonstrations).map(([name, demonstrate]) => [demonstrate, name]));
  test.each([...distinct].map(([demonstrate, name]) => [name, demonstrate] as const))(
    '%s',
    async (_name, demonstrate) => {
      expect(await against(undefined, demonstrate)).toBe(false);
    },
  );
});
