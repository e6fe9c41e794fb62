import { describe, expect, test } from 'vitest';

import { startReceiver } from '../../reference/receiver/receiver.ts';
import { startService } from '../../reference/service/service.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { conclusively } from '../../test/proof/conclusively.ts';
import { reference } from '../../test/proof/livingReceivers/index.ts';
import { proveFaults } from '../../test/proof/proveFaults.ts';
import { proveServiceFaults } from '../../test/proof/proveServiceFaults.ts';
import { testLiving } from '../../test/proof/testLiving.ts';
import { complaints, secret, testReceiver, urlChecks } from '../../test/proof/testReceiver.ts';
import { pace, testService } from '../../test/proof/testService.ts';

// The proofs of both sides in one file, so that they share one worker and wait side by side.
proveFaults(0);
proveFaults(1);
proveServiceFaults(0, 2);
proveServiceFaults(1, 2);

/** The checks that the faults at hand prove: the reference has to pass them. */
const named = new Set((process.env['SEAWORTHY_JUDGED'] ?? '').split(','));
const url = urlChecks.filter(({ id }) => named.has(id));
const living = receiverChecks.filter(
  ({ id, needs }) =>
    named.has(id) && needs.includes('process-control') && !needs.includes('api') && !needs.includes('secret-variable'),
);
const calls = serviceChecks.filter(({ id, needs }) => named.has(id) && !needs.includes('process-control'));
const seed = 20_261_120;

describe.concurrent('the reference keeps the contract', () => {
  test.runIf(url.length > 0)('as a receiver', async () => {
    const summary = await testReceiver(await startReceiver({ secrets: [secret] }), { checks: url, seed });
    expect([...complaints(summary), ...summary.errors]).toEqual([]);
  });

  test.runIf(living.length > 0)('as a process', async () => {
    const summary = await conclusively((only) =>
      testLiving(reference(), { checks: living, ...only, seed, settle: 400 }),
    );
    expect([...complaints(summary), ...summary.errors]).toEqual([]);
  });

  test.runIf(calls.length > 0)('as a service', async () => {
    const options = { checks: calls, seed, retryWindow: 30_000 };
    const summary = await conclusively(async (only) =>
      testService(await startService({ ...pace, speed: 20 }), { ...options, ...only }),
    );
    expect([...complaints(summary), ...summary.errors]).toEqual([]);
  });
});
