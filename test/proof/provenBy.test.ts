import { expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { loadContract } from '../../spec/contract.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { provenBy } from './provenBy.ts';

test('every check of a receiver is proven by a fault, and every proof names a check', () => {
  expect(Object.keys(provenBy).toSorted()).toEqual(receiverChecks.map(({ id }) => id).toSorted());
});

test('each proof is made with a fault that breaks a requirement of the check', () => {
  for (const { id, requirements } of receiverChecks) {
    const fault = provenBy[id]!;
    expect(receiverFaultNames).toContain(fault);
    expect(
      receiverFaults[fault]!.breaks.some((broken) => requirements.includes(broken)),
      `${id} by ${fault}`,
    ).toBe(true);
  }
});

test('every requirement that a URL can show is proven by the main point of a fault', () => {
  const mainPoints = new Set(Object.values(receiverFaults).map(({ breaks }) => breaks[0]));
  const shown = new Set(receiverChecks.flatMap(({ requirements }) => requirements));
  expect([...shown].filter((id) => !mainPoints.has(id))).toEqual([]);
  expect([...shown].every((id) => loadContract().requirement(id).subject === 'receiver')).toBe(true);
});
