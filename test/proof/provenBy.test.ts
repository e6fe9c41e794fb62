import { expect, test } from 'vitest';

import { plainFaultNames, receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { loadContract } from '../../spec/contract.ts';
import { shippedTexts } from '../../spec/contractFiles.ts';
import type { RequirementId } from '../../spec/names.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { urlChecks } from './testReceiver.ts';
import { provenBy } from './provenBy.ts';

test('every check of a receiver is proven by a fault, and every proof names a check', () => {
  expect(Object.keys(provenBy).toSorted()).toEqual(receiverChecks.map(({ id }) => id).toSorted());
});

test('each proof is made with a fault that breaks a requirement of the check', () => {
  const strange = receiverChecks.filter(({ id, requirements }) => {
    const breaks = receiverFaults[provenBy[id]!]?.breaks ?? [];
    return !breaks.some((broken) => requirements.includes(broken));
  });
  expect(strange.map(({ id }) => `${id} by ${provenBy[id]}`)).toEqual([]);
});

test('every requirement of a check is proven by the main point of a fault', () => {
  const shown = requirementsOf(receiverChecks);
  expect(shown.filter((id) => !mainPointsOf(receiverFaultNames).has(id))).toEqual([]);
  const general = loadContract(shippedTexts('standard-webhooks'));
  const required = new Map([...general.requirements, ...loadContract().requirements].map((each) => [each.id, each]));
  expect(shown.filter((id) => required.get(id)?.subject !== 'receiver')).toEqual([]);
});

test('every requirement that a URL can show is the main point of a fault that any run shows', () => {
  const plain = urlChecks.filter(({ about = [] }) => !about.includes('tolerance'));
  expect([...mainPointsOf(plainFaultNames)].toSorted()).toEqual(requirementsOf(plain));
});

function requirementsOf(checks: readonly ReceiverCheck[]): readonly RequirementId[] {
  return [...new Set(checks.flatMap(({ requirements }) => requirements))].toSorted();
}

function mainPointsOf(faults: readonly string[]): ReadonlySet<RequirementId> {
  return new Set(faults.map((name) => receiverFaults[name]!.breaks[0]));
}
