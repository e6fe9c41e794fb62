import { describe, expect, test } from 'vitest';

import { serviceFaultNames, serviceFaults } from '../../reference/faults/service/index.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { conclusively } from './conclusively.ts';
import { expectFound, type Wanted } from './expectFound.ts';
import { inTurn } from './inTurn.ts';
import { complaints, intensity } from './testReceiver.ts';
import { testServiceProcess } from './testServiceProcess.ts';
import { leased, livingServices, reference } from './livingServices/index.ts';
import { provenByService } from './provenByService.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** A number that the reference finds. */
const trackable = [{ issuer: 'MAEU', number: 'MAEU123456789' }];

const processChecks = serviceChecks.filter(({ needs }) => needs.includes('process-control'));
const processFaults = serviceFaultNames.filter((name) => serviceFaults[name]?.processControl);

describe.concurrent('what the end of a service costs is found', () => {
  test.each(faultsToFind())('%s', { timeout: 300_000 }, async (name) => {
    const { breaks } = serviceFaults[name]!;
    const proven = provenWith(name);
    const checks = checksFor(name);
    const summary = await foundWith(name, checks, { breaks, proven });
    const failed = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    expect(failed.every(({ counterexample }) => (counterexample?.timeline ?? []).length > 0)).toBe(true);
  });

  test.each(Object.entries(livingServices))('and nothing is with: %s', { timeout: 300_000 }, async (_name, service) => {
    const tracks = service === livingServices['reference'];
    const checks = checksOf(tracks);
    const hold = () => testServiceProcess(service, { checks, seed: 7, ...(tracks && { trackable }) });
    const summary = await conclusively(() => inTurn(hold));
    const outcomes = Object.fromEntries(summary.checks.map(({ id, outcome }) => [id, outcome]));
    expect({ outcomes, complaints: complaints(summary) }).toEqual({
      outcomes: Object.fromEntries(checks.map(({ id }) => [id, 'passed'])),
      complaints: [],
    });
    expect(summary.errors).toEqual([]);
  });
});

test('ids that begin anew with the process are found', { timeout: 120_000 }, async () => {
  const checks = processChecks.filter(({ id }) => id === 'service/crashes/webhooks');
  const wanted = { breaks: ['NTF-2'], proven: ['service/crashes/webhooks'] } as const;
  const { checks: tried } = await foundWith('begins-its-ids-anew-when-it-starts', checks, wanted);
  expect(tried.map(({ outcome }) => outcome)).toEqual(['failed']);
});

// Seconds of waiting, in `npm run proof`.
test.runIf(intensity === 'standard')(
  'what is claimed for longer than all else takes is waited for',
  { timeout: 120_000 },
  async () => {
    const checks = processChecks.filter(({ id }) => id === 'service/crashes/in-flight');
    const summary = await inTurn(() => testServiceProcess(leased(4000), { checks, seed: 7 }));
    expect(summary.checks.map(({ outcome }) => outcome)).toEqual(['passed']);
  },
);

/** In CI the two share the checks that both can meet; at `standard` each meets all that it can. */
function checksOf(tracks: boolean): readonly ServiceCheck[] {
  const isFor = ({ needs }: ServiceCheck, index: number): boolean =>
    needs.includes('trackable') ? tracks : intensity === 'standard' || index % 2 === Number(tracks);
  return processChecks.filter(isFor);
}

function foundWith(name: string, checks: readonly ServiceCheck[], wanted: Wanted): Promise<RunSummary> {
  const assume = { 'delivery.timeout': '600ms' };
  let seed = 42;
  return expectFound(wanted, () =>
    inTurn(() => testServiceProcess(reference(name, 600), { checks, assume, trackable, seed: seed++ })),
  );
}

/** In CI those that some check is proven by; all of them at `standard`. */
function faultsToFind(): readonly string[] {
  return intensity === 'standard' ? processFaults : processFaults.filter((name) => provenWith(name).length > 0);
}

function provenWith(name: string): string[] {
  return Object.keys(provenByService).filter((check) => provenByService[check] === name);
}

/** In CI the checks that it proves; that nothing else is broken is seen with all of them. */
function checksFor(name: string): readonly ServiceCheck[] {
  const proven = provenWith(name);
  return intensity === 'standard' ? processChecks : processChecks.filter(({ id }) => proven.includes(id));
}
