import { describe, test } from 'vitest';

import { plainServiceFaultNames, serviceFaults } from '../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import { startService } from '../../reference/service/service.ts';
import type { ServiceCheck } from '../../suites/check.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { concerned, faultsToFind } from './concerned.ts';
import { expectFound } from './expectFound.ts';
import { inTurn } from './inTurn.ts';
import { provenByService } from './provenByService.ts';
import { asFound, intensity } from './testReceiver.ts';
import { testService, pace } from './testService.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** Milliseconds that an absence is awaited: short, for whatever was absent is looked for again before it counts. */
const settle = { quick: 400, standard: 1000 }[intensity];
const longWindow = 20_000;
/** One check tries little at a time. All together keep a busy machine from making thirteen attempts in a few seconds. */
const retryWindow = intensity === 'quick' ? 4000 : longWindow;

/** Simulated seconds in a second: a number is found at once, and the voyage itself takes days. */
const speed = 20;

/**
 * Proves one part of the faults of a service: the suite reports the fault's main point broken and nothing that the
 * fault does not break, and the checks that are proven by it are among those that fail.
 *
 * @param part - from 0 to `parts` - 1: the parts are tested side by side
 */
export function proveServiceFaults(part: number, parts: number): void {
  const inPart = (_: string, index: number) => index % parts === part;
  const { alone, amongAll } = faultsToFind(plainServiceFaultNames, provenByService, intensity);
  describe.concurrent(`faults of a service are found, part ${part + 1} of ${parts}`, () => {
    test.each(alone.filter(inPart))('%s', { timeout: 300_000 }, async (name) => {
      const { breaks } = serviceFaults[name]!;
      const proven = Object.keys(provenByService).filter((check) => provenByService[check] === name);
      const checks = concerned(serviceChecks, { breaks, proven });
      await expectFound({ breaks, proven }, () => inTurn(() => testFault(name, checks)));
    });

    test.each(amongAll.filter(inPart))('%s, among all checks', { timeout: 300_000 }, async (name) => {
      const { breaks } = serviceFaults[name]!;
      await expectFound({ breaks, proven: [] }, () => inTurn(() => testFault(name, serviceChecks, longWindow)));
    });
  });
}

async function testFault(name: string, checks: readonly ServiceCheck[], window = retryWindow): Promise<RunSummary> {
  const fault = serviceFaults[name]!;
  const policies = fault.change(conformingPolicies);
  const { timeout = pace.timeout } = fault;
  const service = await startService({ ...pace, timeout, speed, policies });
  return testService(service, {
    checks,
    assume: { 'delivery.timeout': `${timeout}ms` },
    secondOpinion: false,
    seed: 42,
    settle: Math.max(settle, fault.settle ?? 0),
    retryWindow: window,
    ...asFound,
  });
}
