import { describe, test } from 'vitest';

import { plainFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { concerned, faultsToFind } from './concerned.ts';
import { expectFound } from './expectFound.ts';
import { provenBy } from './provenBy.ts';
import { asFound, testReceiver, intensity, secret } from './testReceiver.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** Milliseconds: the faults are quick, so that a short wait for what must not come is enough. */
const settle = 400;
const timeout = { quick: 2000, standard: 4000 }[intensity];
/** Milliseconds that a test may take: three runs, each within its time, on a busy machine. */
const mostPerFault = { quick: 180_000, standard: 1_200_000 }[intensity];

/**
 * Proves one part of the faults: the suite reports the fault's main point broken and nothing that the fault does not
 * break, and the checks that are proven by it are the ones that fail.
 *
 * @param part - 0 or 1: the parts are tested side by side
 */
export function proveFaults(part: 0 | 1): void {
  const inPart = (_: string, index: number) => index % 2 === part;
  const { alone, amongAll } = faultsToFind(plainFaultNames, provenBy, intensity);
  describe.concurrent(`faults of a receiver are found, part ${part + 1}`, () => {
    test.each(alone.filter(inPart))('%s', { timeout: mostPerFault }, async (name) => {
      const { breaks } = receiverFaults[name]!;
      const proven = Object.keys(provenBy).filter((check) => provenBy[check] === name);
      await expectFound({ breaks, proven }, () => testFault(name, concerned(receiverChecks, { breaks, proven })));
    });

    test.each(amongAll.filter(inPart))('%s, among all checks', { timeout: mostPerFault }, async (name) => {
      const { breaks } = receiverFaults[name]!;
      await expectFound({ breaks, proven: [] }, () => testFault(name, receiverChecks));
    });
  });
}

async function testFault(name: string, checks: readonly ReceiverCheck[]): Promise<RunSummary> {
  const fault = receiverFaults[name]!;
  const secrets = fault.secrets ?? [secret];
  const receiver = await startReceiver({ secrets, policies: fault.change(conformingPolicies) });
  return testReceiver(receiver, {
    checks,
    secret: secrets,
    seed: 42,
    settle,
    timeout: fault.timeout ?? timeout,
    // A receiver that refuses everything from some point on takes all the time that a run has.
    ...(intensity === 'quick' && { time: 45_000 }),
    ...asFound,
  });
}
