import { describe, expect, test } from 'vitest';

import { serviceFaultNames, serviceFaults } from '../../reference/faults/service/index.ts';
import { Slots } from '../../runner/http/slots.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { conclusively } from './conclusively.ts';
import { complaints, intensity } from './holdAgainst.ts';
import { holdServiceProcess } from './holdServiceProcess.ts';
import { livingServices, reference } from './livingServices/index.ts';
import { provenByService } from './provenByService.ts';
import { untilFound, type Wanted } from './untilFound.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

const processChecks = serviceChecks.filter(({ needs }) => needs.includes('process-control'));
const processFaults = serviceFaultNames.filter((name) => serviceFaults[name]?.processControl);

/** Each is a process beside the kit, and starts take most of the time. */
const slots = new Slots({ concurrency: 2 });

describe.concurrent('what the end of a service costs is found', () => {
  test.each(faultsToFind())('%s', { timeout: 300_000 }, async (name) => {
    const { breaks } = serviceFaults[name]!;
    const proven = provenWith(name);
    const checks = checksFor(name);
    const summary = await foundWith(name, checks, { point: breaks[0], proven });
    const broken = summary.requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
    const failed = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    const seen = { broken, failed: failed.map(({ id }) => id), complaints: complaints(summary) };
    expect(seen).toMatchObject({ broken: expect.arrayContaining([breaks[0]]) });
    expect({ ...seen, unexpected: broken.filter((id) => !breaks.some((each) => each === id)) }).toMatchObject({
      unexpected: [],
    });
    expect(seen).toMatchObject({ failed: expect.arrayContaining(proven) });
    expect(failed.every(({ counterexample }) => (counterexample?.timeline ?? []).length > 0)).toBe(true);
    expect(summary.errors).toEqual([]);
  });

  test.each(Object.entries(livingServices))('and nothing is with: %s', { timeout: 300_000 }, async (_name, service) => {
    const hold = () => holdServiceProcess(service, { checks: processChecks, seed: 7 });
    const summary = await conclusively(() => inTurn(hold));
    const outcomes = Object.fromEntries(summary.checks.map(({ id, outcome }) => [id, outcome]));
    expect({ outcomes, complaints: complaints(summary) }).toEqual({
      outcomes: Object.fromEntries(processChecks.map(({ id }) => [id, 'passed'])),
      complaints: [],
    });
    expect(summary.errors).toEqual([]);
  });
});

function foundWith(name: string, checks: readonly ServiceCheck[], wanted: Wanted): Promise<RunSummary> {
  const assume = { 'delivery.timeout': '600ms' };
  let seed = 42;
  return untilFound(wanted, () =>
    inTurn(() => holdServiceProcess(reference(name, 600), { checks, assume, seed: seed++ })),
  );
}

async function inTurn(hold: () => Promise<RunSummary>): Promise<RunSummary> {
  await slots.acquire();
  return hold().finally(() => slots.release());
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
