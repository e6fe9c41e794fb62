import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { serviceFaults } from '../../reference/faults/service/index.ts';
import { conformingPolicies as rightReceiver } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { conformingPolicies as rightService } from '../../reference/service/conformingPolicies.ts';
import { startService } from '../../reference/service/service.ts';
import { replay, type ReplayResult } from '../../runner/replay/replay.ts';
import { intensity } from './testReceiver.ts';

const folder = fileURLToPath(new URL('fuzzed', import.meta.url));
const secret = 'a secret of the replays';
const pace = { backoff: [20, 30, 40], timeout: 400 };

/** Tries with the fault: some need luck on a busy machine. */
const tries = 3;

const all = readdirSync(folder).map((file) => file.replace('.json', ''));
const ofReceiver = (name: string): boolean => receiverFaults[name] !== undefined;
/** In CI one of a receiver and one of a service; `fuzzed.test.ts` plays the sequences of all. */
const some = intensity === 'standard' ? all : [all.find(ofReceiver)!, all.find((name) => !ofReceiver(name))!];

async function replayed(name: string, isFaulty: boolean): Promise<ReplayResult> {
  const file = join(folder, `${name}.json`);
  if (ofReceiver(name)) {
    const policies = isFaulty ? receiverFaults[name]!.change(rightReceiver) : rightReceiver;
    const receiver = await startReceiver({ secrets: [secret], policies });
    const { url, probe } = receiver;
    return replay(file, { url, probe, secret }).finally(() => receiver.close());
  }
  const policies = isFaulty ? serviceFaults[name]!.change(rightService) : rightService;
  const service = await startService({ ...pace, policies });
  const { url, token, emit } = service;
  const assume = { 'delivery.timeout': `${pace.timeout}ms` };
  return replay(file, { url, token, emit, assume }).finally(() => service.close());
}

describe.concurrent.each(some)('what a search found of %s', (name) => {
  test('fails when it is replayed with the fault', { timeout: 120_000 }, async ({ expect }) => {
    let result = await replayed(name, true);
    for (let tried = 1; tried < tries && result.outcome !== 'fails'; tried += 1) result = await replayed(name, true);
    expect(result, result.says).toMatchObject({ outcome: 'fails' });
  });

  test('is fixed when it is replayed without', { timeout: 120_000 }, async ({ expect }) => {
    expect(await replayed(name, false)).toMatchObject({ outcome: 'fixed' });
  });
});
