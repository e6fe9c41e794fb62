import { expect, test } from 'vitest';

import { runStarted, type StartedPlan } from '../../../runner/engine/runStarted.ts';
import { loadContract } from '../../../spec/contract.ts';

const contract = loadContract();
const plan: StartedPlan = {
  contract,
  assumptions: [],
  checks: [{ id: 'receiver/a/b', title: 'does so', requirements: ['VRF-4', 'VRF-2'] }],
  seed: 1,
  intensity: 'quick',
  strict: false,
  runId: 'run',
  command: 'seaworthy receiver',
  kit: { name: 'seaworthy', version: '1.0.0' },
};

test.each(['receiver', 'service'] as const)('a run of a %s has the requirements of one, and no others', (kind) => {
  const own = contract.requirements.filter(({ subject }) => subject === kind).map(({ id }) => id);
  const { requirements } = runStarted(plan, { kind, address: 'http://127.0.0.1/' });
  expect(requirements.map(({ id }) => id)).toEqual(own);
});

test('a run says what was asked of it, and nothing of what was not', () => {
  const target = { kind: 'receiver', address: 'http://127.0.0.1/' } as const;
  const plain = { id: 'run', seed: 1, intensity: 'quick', strict: false };
  expect(runStarted(plan, target)).toMatchObject({ run: plain, checks: [{ ...plan.checks[0], level: 'must' }] });
  expect(runStarted(plan, target).run).toEqual(plain);
  expect(runStarted({ ...plan, leftOut: [] }, target)).not.toHaveProperty('leftOut');
  expect(runStarted(plan, target).contract.gaps?.map(({ id }) => id)).toEqual(contract.gaps.map(({ id }) => id));
  const shard = { index: 1, count: 2 };
  const asked: StartedPlan = { ...plan, concurrency: 3, timeLimit: 4000, caughtOnly: true, shard, required: ['VRF-2'] };
  const { run, requirements } = runStarted(asked, target, ['SRC-1']);
  expect(run).toEqual({ ...plain, concurrency: 3, timeLimit: 4000, caughtOnly: true, shard });
  expect(requirements.filter((one) => one.required).map(({ id }) => id)).toEqual(['VRF-2']);
  expect(requirements.filter((one) => one.binding).map(({ id }) => id)).toEqual(['SRC-1']);
});
