import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import { program } from '../programs.ts';
import { behindProxy } from './behindProxy.ts';
import { conclusively } from './conclusively.ts';
import { complaints, isProof } from './testReceiver.ts';
import { testLiving } from './testLiving.ts';
import type { LivingReceiver } from './livingReceivers/index.ts';
import type { ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { brokenIn } from '../brokenIn.ts';

const secretEnv = 'HOOK_SECRET';

/** Starts the reference receiver, which takes its secret from a variable of its environment. @param port - as the shell reads it */
function commandOf(words: readonly string[], port: string, database: string): string {
  const own = [process.execPath, program('receiver'), '--database', database, ...words].map(shellWord);
  return `exec ${own.join(' ')} --port ${port}`;
}

function held(
  words: readonly string[],
  more: Pick<ReceiverPlanOptions, 'probe'> = {},
  command: LivingReceiver['command'] = ({ port, database }) => commandOf(words, String(port), database),
): Promise<RunSummary> {
  const options = { ...more, only: ['receiver/signature/without-secret'], secretEnv, settle: 300, seed: 11 };
  const receiver = { command, path: '/hooks', probe: '/effects/{id}' };
  return conclusively((only) => testLiving(receiver, { ...options, ...only }));
}

/** The main one, one that takes another way of starting, and one that another judgement finds. */
const some = ['verifies-with-an-empty-key', 'takes-an-empty-secret-for-one', 'stores-what-it-cannot-verify'];
/** In CI those; all of them at `standard`. */
const faults = receiverFaultNames.filter(
  (name) => receiverFaults[name]!.setting === 'secret' && (isProof || some.includes(name)),
);

describe.concurrent('a receiver that takes its secret from its environment', () => {
  test('the reference does not start without it', { timeout: 60_000 }, async () => {
    const summary = await held(['--secret-env', secretEnv]);
    expect(complaints(summary)).toEqual([]);
    expect(summary.requirements.find(({ id }) => id === 'VRF-6')?.outcome).toBe('holds');
  });

  test('nothing is seen of one that takes its secret from elsewhere', { timeout: 60_000 }, async () => {
    const summary = await held(['--secret', 'a secret of the proofs']);
    const [check] = summary.checks;
    expect(check).toMatchObject({ outcome: 'not-observable', reason: expect.stringContaining('from elsewhere') });
  });

  test.runIf(isProof)('nothing else is needed to see it', { timeout: 60_000 }, async () => {
    const right = await held(['--secret-env', secretEnv], { probe: undefined });
    expect(right.requirements.find(({ id }) => id === 'VRF-6')?.outcome).toBe('holds');
    const words = ['--secret-env', secretEnv, '--fault', 'verifies-with-an-empty-key'];
    const wrong = await held(words, { probe: undefined });
    expect(wrong.requirements.find(({ id }) => id === 'VRF-6')?.outcome).toBe('broken');
  });

  test.runIf(isProof)(
    'one that fails until it is ready, behind what takes its connections, has refused nothing by that',
    async () => {
      const words = ['--secret-env', secretEnv, '--fault', 'verifies-with-an-empty-key'];
      const summary = await held(words, {}, ({ port, database }) =>
        behindProxy(port, '502', `sleep 1; ${commandOf(words, '"$INNER_PORT"', database)}`),
      );
      expect(summary.requirements.find(({ id }) => id === 'VRF-6')?.outcome).toBe('broken');
    },
  );

  test.each(faults)('%s is found', { timeout: 60_000 }, async (fault) => {
    const summary = await held(['--secret-env', secretEnv, '--fault', fault]);
    const broken = brokenIn(summary);
    expect({ broken, complaints: complaints(summary) }).toMatchObject({ broken: ['VRF-6'] });
    expect(summary.errors).toEqual([]);
  });
});
