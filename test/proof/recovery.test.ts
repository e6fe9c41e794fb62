import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import type { ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import { afterAnOutage } from '../../suites/receiver/recovery/checks.ts';
import { complaints, further } from './testReceiver.ts';
import { testLinked, referenceCommand, type Surroundings } from './testLinked.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { brokenIn } from '../brokenIn.ts';

const only = ['RCO-1'];
/** Milliseconds; what a right receiver may take its time for, and what no receiver with a fault comes to do. */
const settle = { right: 400, faulty: 100 };

const recoveringNode = fileURLToPath(new URL('receivers/recoveringNode.ts', import.meta.url));

/** Another receiver, which asks for long pages, in another order, at its own pace. */
function otherCommand({ port, api, folder }: Surroundings, way: string): string {
  return [process.execPath, recoveringNode, String(port), api, folder, way].map(shellWord).join(' ');
}

/** One way to begin an outage is enough to find a fault. */
const oneOutage: ReceiverCheck = { ...afterAnOutage, cases: (draw) => afterAnOutage.cases(draw).slice(0, 1) };

function standing({ requirements }: RunSummary): string | undefined {
  return requirements.find(({ id }) => id === 'RCO-1')?.outcome;
}

function testReference(options: ReceiverPlanOptions, ...words: readonly string[]): Promise<RunSummary> {
  return testLinked((around) => referenceCommand(around, words), { only, seed: 11, settle: settle.right, ...options });
}

describe.concurrent('recovery from an outage', () => {
  test('the reference recovers by itself', { timeout: 300_000 }, async () => {
    const summary = await testReference({});
    expect(complaints(summary)).toEqual([]);
    expect(standing(summary)).toBe('holds');
  });

  test.each(['on request', ...further('at its start', 'in the background')])(
    'a receiver that recovers %s, with long pages, is not accused',
    { timeout: 300_000 },
    async (way) => {
      const recover = way === 'at its start' ? {} : { recover: '/recover' };
      const options = { only, seed: 11, settle: settle.right, ...recover };
      const summary = await testLinked((around) => otherCommand(around, way), options);
      expect(complaints(summary)).toEqual([]);
      expect(standing(summary)).toBe('holds');
    },
  );

  const faults = receiverFaultNames.filter((name) => receiverFaults[name]!.setting === 'recovery');
  test.each(faults)('%s is found', { timeout: 300_000 }, async (fault) => {
    const options = { checks: [oneOutage], recover: '/recover', settle: settle.faulty };
    const summary = await testReference(options, '--fault', fault);
    const broken = brokenIn(summary);
    expect({ broken, complaints: complaints(summary) }).toMatchObject({ broken: ['RCO-1'] });
    expect(summary.verdict).not.toBe('does-not-conform');
    expect(summary.errors).toEqual([]);
  });
});
