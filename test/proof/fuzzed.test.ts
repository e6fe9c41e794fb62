import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { sequenceSize } from '../../bench/sequenceSize.ts';
import { serviceFaults } from '../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import { startService } from '../../reference/service/service.ts';
import { readSavedCase, type SavedCase } from '../../runner/engine/savedCase.ts';
import type { FuzzStep, SequenceResult } from '../../suites/fuzz/fuzzing.ts';
import { subtleDemonstrations } from '../reference/demonstrations/subtle.ts';
import { subtleServiceDemonstrations } from '../reference/demonstrations/subtleService.ts';
import { withReference } from '../suites/fuzz/receiver/session.ts';
import { playSequences } from '../suites/fuzz/service/playSequences.ts';
import { further } from './testReceiver.ts';

/** What a search found of each subtle fault, shrunk, in the name of the fault: `npm run bench:fuzz -- --keep` writes them. */
const folder = fileURLToPath(new URL('fuzzed', import.meta.url));
const faults = readdirSync(folder).map((file) => file.replace('.json', ''));

/** Tries of a sequence with its fault: some need luck on a busy machine. */
const tries = 8;
const pace = { backoff: [20, 30, 40], timeout: 400 };

/** How many deliveries or calls the shortest sequence takes that was found by hand, by the fault that it shows. */
const shortest: Readonly<Record<string, number>> = Object.fromEntries([
  ...Object.entries(subtleDemonstrations).map(([name, { deliveries }]) => [name, deliveries]),
  ...Object.entries(subtleServiceDemonstrations).map(([name, { calls }]) => [name, calls]),
]);

interface Kept {
  readonly fault: string;
  readonly saved: SavedCase;
  readonly steps: readonly FuzzStep[];
}

type Result = SequenceResult<object> | undefined;

const kept = await Promise.all(
  faults.map(async (fault): Promise<Kept> => {
    const saved = await readSavedCase(join(folder, `${fault}.json`));
    return { fault, saved, steps: (saved.sequence ?? []).map(({ step }) => step) };
  }),
);

/** Plays sequences of one subject against its reference, with this fault or without one. */
async function played({ saved: { subject } }: Kept, fault: string | undefined, sequences: readonly Kept['steps'][]) {
  if (subject === 'receiver') return withReference(fault, ({ play }) => play(sequences));
  const policies = fault === undefined ? conformingPolicies : serviceFaults[fault]!.change(conformingPolicies);
  const service = await startService({ ...pace, policies });
  const assume = { 'delivery.timeout': `${pace.timeout}ms` };
  return playSequences(service, sequences, { assume, settle: 400 }).finally(() => service.close());
}

/** How a sequence ends, one after the other until that is there which is looked for. */
async function until(isThere: (result: Result) => boolean, one: Kept, fault: string | undefined): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    const [result] = await played(one, fault, [one.steps]);
    if (isThere(result) || tried === tries) return result;
  }
}

function withFault(one: Kept): Promise<Result> {
  return until((result) => result?.finding !== undefined, one, one.fault);
}

/** A busy machine may leave undecided how it ends. */
function withoutFault(one: Kept): Promise<Result> {
  const [requirement] = one.saved.requirements;
  const isDecided = ({ finding, judged = [] }: Partial<NonNullable<Result>> = {}): boolean =>
    finding !== undefined || judged.includes(requirement!);
  return until(isDecided, one, undefined);
}

test('each was found of a subtle mistake, and there are many', () => {
  expect(faults.filter((fault) => shortest[fault] === undefined)).toEqual([]);
  expect(faults.length).toBeGreaterThanOrEqual(20);
});

describe.each(kept)('$fault', (one) => {
  test('is no longer than the shortest sequence that was found by hand', () => {
    expect(sequenceSize(one.steps)).toBeLessThanOrEqual(shortest[one.fault]!);
  });

  test('fails with the fault', async () => {
    expect(await withFault(one)).toMatchObject({ finding: { cause: one.saved.cause } });
  });
});

// Each by itself: what happens in a service is everybody's.
test.concurrent.for(further(...kept))(
  'without its fault, $fault is fixed',
  { timeout: 60_000 },
  async (one, { expect }) => {
    const { finding, judged = [] } = (await withoutFault(one)) ?? {};
    expect({ finding, isJudged: judged.includes(one.saved.requirements[0]!) }).toEqual({ isJudged: true });
  },
);
