import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { processDemonstrations, type ProcessDemonstration } from './demonstrations/process.ts';
import { provenBy } from '../proof/provenBy.ts';
import { intensity } from '../proof/testReceiver.ts';
import { RestartableTarget } from './restartableTarget.ts';

/** Tries after which a fault counts as not shown. */
const tries = 5;

/** Runs an action against a receiver as a process, in a folder of its own. */
async function against<T>(fault: string | undefined, action: (living: RestartableTarget) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-process-'));
  const living = new RestartableTarget(join(folder, 'receiver.db'), fault);
  try {
    await living.start();
    return await action(living);
  } finally {
    await living.signal('SIGKILL');
    await rm(folder, { recursive: true });
  }
}

test('every fault that takes process control to be seen has a demonstration, and every demonstration a fault', () => {
  const names = receiverFaultNames.filter((name) => {
    const { processControl, setting } = receiverFaults[name]!;
    return processControl === true && setting === undefined;
  });
  expect(Object.keys(processDemonstrations)).toEqual(names);
});

/** Whether one of a few tries shows it: the moment of a signal is chance. */
async function isShown(name: string, demonstrate: ProcessDemonstration): Promise<boolean> {
  for (let tried = 0; tried < tries; tried++) if (await against(name, demonstrate)) return true;
  return false;
}

/** All at `standard`. In CI the first of those that no check is proven by: the others are variations of what is proven. */
function faultsToShow(): readonly (readonly [name: string, demonstrate: ProcessDemonstration])[] {
  const all = Object.entries(processDemonstrations);
  if (intensity === 'standard') return all;
  const proofs = new Set(Object.values(provenBy));
  return all.filter(([name]) => !proofs.has(name)).slice(0, 1);
}

describe.concurrent('a receiver with the fault shows it', () => {
  test.each(faultsToShow())('%s', async (name, demonstrate) => {
    expect(await isShown(name, demonstrate)).toBe(true);
  });
});

describe.concurrent('the conforming receiver does not show it', () => {
  const distinct = new Map(faultsToShow().map(([name, demonstrate]) => [demonstrate, name]));
  test.each([...distinct].map(([demonstrate, name]) => [name, demonstrate] as const))(
    '%s',
    async (_name, demonstrate) => {
      expect(await against(undefined, demonstrate)).toBe(false);
    },
  );
});
