import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver.ts';
import { serviceFaults } from '../../reference/faults/services.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver, type RunningReceiver } from '../../reference/receiver/receiver.ts';
import { conformingPolicies as conformingService } from '../../reference/service/conformingPolicies.ts';
import { startService, type RunningService } from '../../reference/service/service.ts';
import { replaySequence } from '../../runner/fuzz/replaySequence.ts';
import { receiverPlan } from '../../runner/receiverPlan.ts';
import type { Replayed } from '../../runner/replayed.ts';
import { readSavedCase, type SavedCase } from '../../runner/savedCase.ts';
import { servicePlan } from '../../runner/service/servicePlan.ts';
import { subtleDemonstrations } from '../reference/demonstrations/subtle.ts';
import { subtleServiceDemonstrations } from '../reference/demonstrations/subtleService.ts';
import { secret } from './holdAgainst.ts';
import { pace } from './holdServiceAgainst.ts';
import { sequenceSize } from '../../bench/sequenceSize.ts';

/** What a search found of each subtle fault, shrunk, in the name of the fault: `npm run bench:fuzz -- --keep` writes them. */
const folder = fileURLToPath(new URL('fuzzed', import.meta.url));
const directory = join(tmpdir(), 'seaworthy-proof');

/** Tries of a sequence that depends on the moment, on a machine that is busy. */
const tries = 5;
const timeout = 300;

/** How many deliveries or calls the shortest sequence takes that was found by hand, by the fault that it shows. */
const shortest: Readonly<Record<string, number>> = Object.fromEntries([
  ...Object.entries(subtleDemonstrations).map(([name, { deliveries }]) => [name, deliveries]),
  ...Object.entries(subtleServiceDemonstrations).map(([name, { calls }]) => [name, calls]),
]);

let receiver: RunningReceiver;
let service: RunningService;

beforeAll(async () => {
  receiver = await startReceiver({ secrets: [secret] });
  service = await startFaultyService();
});

afterAll(() => Promise.all([receiver.close(), service.close()]));

function startFaultyService(name?: string): Promise<RunningService> {
  const policies = name === undefined ? conformingService : serviceFaults[name]!.change(conformingService);
  return startService({ ...pace, timeout, policies, database: ':memory:' });
}

function startFaultyReceiver(name: string): Promise<RunningReceiver> {
  return startReceiver({ secrets: [secret], policies: receiverFaults[name]!.change(conformingPolicies) });
}

async function replayedOn(target: RunningReceiver | RunningService, saved: SavedCase): Promise<Replayed> {
  const shared = { directory, checks: [], settle: 400 };
  if ('probe' in target) {
    const plan = await receiverPlan(target.url, { ...shared, secret: [secret], probe: target.probe, timeout: 2000 });
    return replaySequence({ subject: 'receiver', plan }, saved);
  }
  const { url, token, emit } = target;
  const assume = { 'delivery.timeout': `${timeout}ms` };
  const plan = await servicePlan(url, { ...shared, token, emit, assume, retryWindow: 8000 });
  return replaySequence({ subject: 'service', plan }, saved);
}

/** How the case stands with the fault: as soon as it fails, it fails. */
async function withFault(name: string, saved: SavedCase): Promise<Replayed> {
  const start = saved.subject === 'receiver' ? startFaultyReceiver : startFaultyService;
  for (let tried = 1; ; tried += 1) {
    const target = await start(name);
    const replayed = await replayedOn(target, saved).finally(() => target.close());
    if (replayed.outcome === 'fails' || tried === tries) return replayed;
  }
}

test('every subtle fault has been found by a search, and was kept', () => {
  expect(readdirSync(folder).toSorted()).toEqual(
    Object.keys(shortest)
      .map((name) => `${name}.json`)
      .toSorted(),
  );
});

describe.concurrent.each(readdirSync(folder).map((file) => file.replace('.json', '')))('%s', (name) => {
  const saved = () => readSavedCase(join(folder, `${name}.json`));

  test('is no longer than the shortest sequence that was found by hand', async () => {
    const { sequence = [] } = await saved();
    expect(sequenceSize(sequence.map(({ step }) => step))).toBeLessThanOrEqual(shortest[name]!);
  });

  test('fails with the fault', async () => {
    expect(await withFault(name, await saved())).toMatchObject({ outcome: 'fails' });
  });

  test('is fixed without it', async () => {
    const found = await saved();
    const conforming = found.subject === 'receiver' ? receiver : service;
    expect(await replayedOn(conforming, found)).toEqual({ outcome: 'fixed', tries: expect.any(Number) });
  });
});
