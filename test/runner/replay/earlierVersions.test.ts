import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { serviceFaults } from '../../../reference/faults/service/index.ts';
import { conformingPolicies as receiverPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { conformingPolicies as servicePolicies } from '../../../reference/service/conformingPolicies.ts';
import { startService } from '../../../reference/service/service.ts';
import { formats } from '../../../reports/formats/index.ts';
import type { Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';
import { brokenIn } from '../../brokenIn.ts';

/**
 * What earlier versions of the kit wrote: the first one that kept journals (receiver), the first one that saved cases
 * (process, service, and three of the cases), and one of the first that searched. Of what the journals say of single
 * deliveries, calls and progress, the first eight lines of each kind are kept. Each case is named after the fault that
 * it was seen with.
 */
const files = new URL('earlierVersions/', import.meta.url);
const pathOf = (name: string): string => fileURLToPath(new URL(name, files));

let folder = '';
beforeAll(async () => (folder = await mkdtemp(`${tmpdir()}/seaworthy-earlier-`)));
afterAll(() => rm(folder, { recursive: true }));

const journals = [
  ['receiver', { verdict: 'does-not-conform', broken: ['IDM-2'] }],
  ['process', { verdict: 'does-not-conform', broken: ['RCV-3'] }],
  ['service', { verdict: 'does-not-conform', broken: ['WHK-9', 'SIG-2'] }],
  ['search', { verdict: 'does-not-conform', broken: ['IDM-2', 'IDM-3'] }],
] as const;

test.each(journals)('the journal of a %s run is rendered in every format', async (name, expected) => {
  const journal = pathOf(`journals/${name}.ndjson`);
  const render = (format: string): Promise<Ended> => runHere(['report', journal, '--report', format], folder);
  for (const format of Object.keys(formats)) {
    if (format === 'journal') continue;
    const { code, stdout, stderr } = await render(format);
    expect({ format, code, stderr, isEmpty: stdout.trim() === '' }).toEqual({
      format,
      code: 0,
      stderr: '',
      isEmpty: false,
    });
  }
  const { verdict, requirements } = JSON.parse((await render('json')).stdout) as {
    readonly verdict: string;
    readonly requirements: readonly { readonly id: string; readonly outcome: string }[];
  };
  const broken = brokenIn({ requirements });
  expect({ verdict, broken }).toEqual(expected);
});

const secret = 's3cretword';

async function replayOnReceiver(name: string, isFaulty: boolean): Promise<Ended> {
  const policies = isFaulty ? receiverFaults[name]!.change(receiverPolicies) : receiverPolicies;
  const receiver = await startReceiver({ secrets: [secret], policies });
  const words = ['replay', pathOf(`cases/${name}.json`), '--url', receiver.url, '--secret', secret];
  return runHere([...words, '--probe', receiver.probe], folder).finally(() => receiver.close());
}

async function replayOnService(name: string, isFaulty: boolean): Promise<Ended> {
  const policies = isFaulty ? serviceFaults[name]!.change(servicePolicies) : servicePolicies;
  const service = await startService({ policies, backoff: [20, 30, 40], timeout: 400 });
  const words = ['replay', pathOf(`cases/${name}.json`), '--url', service.url, '--token', service.token];
  return runHere([...words, '--emit', service.emit], folder).finally(() => service.close());
}

const cases = [
  ['deduplicates-nothing', replayOnReceiver],
  ['takes-effect-again-at-the-third-redelivery', replayOnReceiver],
  ['takes-unknown-events', replayOnService],
  ['signs-a-retry-with-another-secret', replayOnService],
] as const;

test.each(cases)('the case of a target that %s fails there, and is fixed where it is right', async (name, replay) => {
  const fails = await replay(name, true);
  expect({ ...fails, stdout: fails.stdout.split(' ')[0] }).toMatchObject({ code: 1, stdout: 'FAILS' });
  const fixed = await replay(name, false);
  expect({ ...fixed, stdout: fixed.stdout.split(' ')[0] }).toEqual({ code: 0, stdout: 'FIXED', stderr: '' });
});

test('a case whose check has other cases by now is not taken for one of them: it cannot be replayed, and says so', async () => {
  const ended = await replayOnReceiver('verifies-reserialised-json', true);
  expect(ended.code).toBe(3);
  expect(ended.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'the case cannot be made again: it was written by version 0.1.0',
  );
});
