import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, test } from 'vitest';

import { plainFaultNames, subtleFaultNames } from '../../reference/faults/receiver/index.ts';
import { readSavedCase, type SavedCase } from '../../runner/engine/savedCase.ts';
import { runFuzz } from '../../runner/fuzz/runFuzz.ts';
import { receiverFuzzPlan } from '../../runner/fuzz/fuzzPlan.ts';
import { replay } from '../../runner/replay/replay.ts';
import { foundCase, secretsOf, startFaulty } from '../runner/export/foundCase.ts';
import { scriptVerdict, vitestVerdict, type Verdict } from '../runner/export/exportVerdicts.ts';
import { intensity } from './testReceiver.ts';

/** Those whose sequence is kept, and at `standard` whatever a search finds of the others in a few seconds. */
const kept = subtleFaultNames;
const some = ['forgets-an-id-that-came-forged-first', 'compares-the-ends-of-an-id', 'checks-then-acts'];
const names = intensity === 'standard' ? [...kept, ...plainFaultNames] : some;
const shells = [['dash'], ['bash', '--posix'], ['busybox', 'sh']].filter(
  // CI has all of them; elsewhere those do that are there.
  ([shell = '']) => process.env['SEAWORTHY_CI'] !== undefined || !spawnSync(shell, ['true']).error,
);

/** Tries with the fault: some need luck on a busy machine. */
const tries = 3;

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'seaworthy-exports-'))));
afterAll(() => rm(folder, { recursive: true }));

/** A few steps that show it, of mistakes that need luck. */
const known: Readonly<Record<string, readonly object[]>> = {
  'checks-then-acts': [{ do: 'together', parts: [{ slot: 'a', copies: 2 }] }],
};

async function caseOf(fault: string, directory: string): Promise<SavedCase | undefined> {
  const steps = known[fault]?.map((step) => ({ words: '', step: step as { do: string }, seed: 0, path: '' }));
  if (steps) return foundCase(fault, steps, directory);
  const file = fileURLToPath(new URL(`fuzzed/${fault}.json`, import.meta.url));
  const { sequence } = await readSavedCase(file).catch(() => ({ sequence: undefined }));
  return sequence ? foundCase(fault, sequence, directory) : searched(fault, directory);
}

/** What a search finds of it first. */
async function searched(fault: string, directory: string): Promise<SavedCase | undefined> {
  const receiver = await startFaulty(fault);
  try {
    const { url, probe } = receiver;
    const given = { url, options: { probe: [probe] }, env: [] };
    const options = { secret: [...secretsOf(fault)], probe, settle: 400, seed: 1, directory, given };
    const plan = await receiverFuzzPlan(url, { ...options, time: 8000, untilFailure: true, feedback: false });
    for await (const event of runFuzz(plan))
      if (event.type === 'fuzz.failed' && event.outcome === 'failed' && event.counterexample.file)
        return await readSavedCase(event.counterexample.file);
    return undefined;
  } finally {
    await receiver.close();
  }
}

/** What replay and both exports say, each of a receiver that has seen nothing: a body holds other ids, which are no fresh ones. */
async function verdicts(fault: string, isFaulty: boolean, saved: SavedCase, shell: readonly string[]) {
  const secrets = secretsOf(fault);
  const variables = secrets.map((text, at) => [`SEAWORTHY_SECRET${at === 0 ? '' : `_${at + 1}`}`, text] as const);
  const from = async <T>(say: (url: string, probe: string) => Promise<T>): Promise<T> => {
    const receiver = await startFaulty(isFaulty ? fault : undefined, secrets);
    return say(receiver.url, receiver.probe).finally(() => receiver.close());
  };
  const envOf = (url: string, probe: string) => ({ SEAWORTHY_URL: url, SEAWORTHY_PROBE: probe });
  const replayed = await from((url, probe) => replay(saved, { url, probe, secret: [...secrets], environment: {} }));
  const test = await from((url, probe) =>
    vitestVerdict(saved, { ...envOf(url, probe), SEAWORTHY_SECRET: secrets.join('\n') }),
  );
  const script = await from((url, probe) =>
    scriptVerdict(saved, secrets, { ...envOf(url, probe), ...Object.fromEntries(variables) }, shell),
  );
  return { replay: replayed.outcome, test, script, says: replayed.says };
}

test.concurrent.for(names.map((name, at) => [name, shells[at % shells.length]!] as const))(
  'the exports of %s say what replay says, in %s',
  { timeout: 300_000 },
  async ([fault, shell], { expect }) => {
    const saved = await caseOf(fault, join(folder, fault));
    if (saved === undefined) return expect(some).not.toContain(fault);
    const isTrue = (said: Verdict, isFaulty: boolean) => said === (isFaulty ? 'fails' : 'fixed');
    for (const isFaulty of [true, false]) {
      let seen = await verdicts(fault, isFaulty, saved, shell);
      const isSeen = () => isTrue(seen.replay, true) && isTrue(seen.test, true);
      for (let tried = 1; isFaulty && tried < tries && !isSeen(); tried += 1)
        seen = await verdicts(fault, isFaulty, saved, shell);
      const { replay: outcome, test, script } = seen;
      expect(test, JSON.stringify(seen)).toBe(outcome);
      // A script may be unable to do what the kit does, and says so; what it says beyond that is true.
      const isSure = script !== undefined && script.verdict !== 'cannot-run';
      if (isSure && (isTrue(outcome, isFaulty) || !isFaulty))
        expect(isTrue(script.verdict!, isFaulty), JSON.stringify(seen)).toBe(true);
      if (some.includes(fault)) expect([outcome, script?.verdict]).toEqual(Array(2).fill(isFaulty ? 'fails' : 'fixed'));
    }
  },
);
