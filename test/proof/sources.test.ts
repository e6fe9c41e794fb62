import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { playLazily } from '../../runner/cli/lazyReference.ts';
import { asFound, complaints, intensity, testReceiver, secret } from './testReceiver.ts';
import { testLinked, referenceCommand } from './testLinked.ts';
import { provenBy } from './provenBy.ts';
import { type Guard, start as startGuarded } from './receivers/guardedNode.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { brokenIn } from '../brokenIn.ts';

const published = ['127.0.0.1', '127.0.0.3'];
const settle = 300;
const guards: readonly Guard[] = ['closes the connection', 'says nothing'];

/** What another judgement of a check finds than the fault that proves it. */
const others = ['works-for-whom-it-turns-away', 'never-drops-an-address'];

/** In CI those that prove a check, and the others; all of them at `standard`. */
function faultsIn(setting: string): readonly string[] {
  const some = new Set([...Object.values(provenBy), ...others]);
  return receiverFaultNames.filter(
    (name) => receiverFaults[name]!.setting === setting && (intensity === 'standard' || some.has(name)),
  );
}

/** Sources alone: what needs no process of its own. */
async function testFiltering(fault?: string): Promise<RunSummary> {
  const policies = fault === undefined ? {} : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: [secret], allow: published, policies });
  return testReceiver(receiver, {
    published,
    only: ['SRC-1'],
    skip: ['receiver/source/changed-list'],
    seed: 7,
    settle,
    ...asFound,
  });
}

/** A list that the receiver reads from the service that the kit plays. */
function testFollowing(fault?: string): Promise<RunSummary> {
  const words = ['--published-from-api', '--refresh', '150ms', ...(fault === undefined ? [] : ['--fault', fault])];
  const follows = { published, only: ['receiver/source/*'], assume: { 'senderAddresses.refresh': '1s' } };
  return testLinked((around) => referenceCommand(around, words), { ...follows, seed: 7, settle });
}

/** What the proof is about. */
function seen({ requirements, checks, verdict, errors }: RunSummary) {
  const broken = brokenIn({ requirements });
  const failed = checks.filter(({ outcome }) => outcome === 'warned').map(({ id }) => id);
  const binding = requirements.filter((requirement) => requirement.binding).map(({ id }) => id);
  return { broken, failed, binding, verdict, errors };
}

const held = { broken: [], failed: [], binding: ['SRC-1'], verdict: 'inconclusive', errors: [] };

function found(fault: string) {
  const proven = Object.keys(provenBy).filter((check) => provenBy[check] === fault);
  const failed: unknown = expect.arrayContaining(proven);
  return { broken: ['SRC-1'], failed, binding: ['SRC-1'], verdict: 'does-not-conform', errors: [] };
}

describe.concurrent('a receiver that lets in published senders only', () => {
  test('the reference keeps everybody else out', { timeout: 300_000 }, async () => {
    const summary = await testFiltering();
    expect(complaints(summary)).toEqual([]);
    expect(seen(summary)).toEqual(held);
  });

  test.each(guards)('one that %s keeps everybody else out too', { timeout: 300_000 }, async (guard) => {
    const receiver = await startGuarded({ secrets: [secret], published, guard });
    const options = {
      // Of the guard that says nothing each refusal takes as long; of the other one none does.
      timeout: guard === 'says nothing' ? 600 : 10_000,
      published,
      only: ['SRC-1'],
      skip: ['receiver/source/changed-list'],
      seed: 7,
      settle,
    };
    const summary = await testReceiver(receiver, options);
    expect(complaints(summary)).toEqual([]);
    expect(seen(summary)).toEqual(held);
  });

  test.each(faultsIn('sources'))('%s is found', { timeout: 300_000 }, async (fault) => {
    expect(seen(await testFiltering(fault))).toEqual(found(fault));
  });
});

describe.concurrent('a receiver that reads the list from the service', () => {
  test('the reference follows a change', { timeout: 300_000 }, async () => {
    const summary = await testFollowing();
    expect(complaints(summary)).toEqual([]);
    expect(seen(summary)).toEqual(held);
  });

  test(
    'the reference is waited for where it runs by itself, and finds the service only now',
    { timeout: 300_000 },
    async () => {
      const port = await freePort('127.0.0.1', new Set());
      const api = { url: `http://127.0.0.1:${port}/v2`, key: 'any' };
      const receiver = await startReceiver({ secrets: [secret], api, publishedFromApi: true, refresh: 150 });
      const summary = await testReceiver(receiver, {
        published,
        only: ['receiver/source/*'],
        apiListen: { host: '127.0.0.1', port },
        play: playLazily,
        settle,
      });
      expect(complaints(summary)).toEqual([]);
      expect(seen(summary)).toEqual(held);
    },
  );

  test.each(faultsIn('changed-sources'))('%s is found', { timeout: 300_000 }, async (fault) => {
    expect(seen(await testFollowing(fault))).toEqual(found(fault));
  });
});
