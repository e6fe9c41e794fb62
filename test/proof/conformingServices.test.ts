import { describe, expect, test } from 'vitest';

import { startService } from '../../reference/service/service.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { conclusively } from './conclusively.ts';
import { inTurn } from './inTurn.ts';
import { asFound, complaints, intensity } from './testReceiver.ts';
import { testService, pace } from './testService.ts';
import { startPausing } from './services/bareNode.ts';
import { conformingServices } from './services/index.ts';
import { start as otherSignature } from './services/otherSignature.ts';
import type { StartService } from './services/start.ts';
import { brokenIn } from '../brokenIn.ts';

const reference: StartService = (options) => startService({ ...options, speed: 20 });
const services: Readonly<Record<string, StartService>> = { reference, ...conformingServices };

/** In CI they share the checks: each meets a third of them. */
function checksFor(name: string): readonly ServiceCheck[] {
  if (intensity === 'standard') return serviceChecks;
  const names = Object.keys(services);
  return serviceChecks.filter((_, index) => index % names.length === names.indexOf(name));
}

/** Long, for a machine that is busy with other tests: it is waited only where retries are late. */
const retryWindow = 30_000;

describe.concurrent('no check finds fault with a service that keeps the contract', () => {
  test.each(Object.entries(services))('%s', { timeout: 300_000 }, async (name, start) => {
    const checks = checksFor(name);
    let isWhole = true;
    const summary = await conclusively(async (only) => {
      isWhole = only.only === undefined && checks === serviceChecks;
      const secondOpinion = intensity === 'standard' || name === 'python';
      // Those that are not the reference get one call at a time.
      const pacing = name === 'reference' ? {} : { concurrency: 1 };
      const options = { checks, ...pacing, ...only, seed: 20_261_120, retryWindow, secondOpinion };
      return inTurn(async () => testService(await start(pace), options));
    });
    const alarms = summary.checks.filter(({ outcome }) => ['failed', 'warned', 'errored'].includes(outcome));
    expect({ alarms: alarms.map(({ id }) => id), complaints: complaints(summary) }).toMatchObject({ alarms: [] });
    expect(brokenIn(summary)).toEqual([]);
    // What did not recur on a machine that is busy with other tests is undecided: the kit says so, and accuses nobody.
    const open = summary.checks.filter(({ outcome }) => outcome === 'inconclusive');
    expect(
      open.filter(({ reason }) => !/did not recur|neither confirmed| ms late/.test(reason ?? '')).map(({ id }) => id),
    ).toEqual([]);
    expect(open.length).toBeLessThan(4);
    expect(isWhole && open.length === 0 ? ['conforms'] : ['conforms', 'inconclusive']).toContain(summary.verdict);
    expect(summary.errors).toEqual([]);
  });
});

test('a webhook that failed often may be sent nothing for a while', { timeout: 300_000 }, async () => {
  const only = ['service/load/exhausted-holds-up-nobody', 'service/activation/after-failures'];
  const summary = await testService(await startPausing(pace), { only, seed: 31, settle: 400, retryWindow, ...asFound });
  expect(summary.checks.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
});

/** Those that look at signatures, or at what they are made with. */
const ofSignatures = ['signature', 'custom-headers', 'samples', 'updates', 'retries'].map(
  (topic) => `service/${topic}/*`,
);

test(
  'another signature in another header is learned, and only what the contract names is broken',
  { timeout: 300_000 },
  async () => {
    const options = { only: ofSignatures, seed: 7, retryWindow, ...asFound };
    const summary = await testService(await otherSignature(pace), options);
    const learned = summary.learned.filter(({ key }) => key.startsWith('signature.'));
    expect(learned.map(({ key, value }) => `${key}: ${value}`).toSorted()).toEqual([
      'signature.header: X-Tracking-Signature',
      'signature.scheme: sha256=hmac-sha256-base64',
    ]);
    const broken = brokenIn(summary);
    expect({ broken, complaints: complaints(summary) }).toMatchObject({ broken: ['SIG-1'] });
    const assume = Object.fromEntries(learned.map(({ key, value }) => [key, value]));
    const again = await conclusively(async (open) =>
      testService(await otherSignature(pace), {
        only: ['service/signature/*'],
        ...open,
        seed: 7,
        retryWindow,
        assume,
      }),
    );
    expect(complaints(again)).toEqual([]);
    expect(again.requirements.find(({ id }) => id === 'SIG-1')?.outcome).toBe('holds');
  },
);
