import { describe, expect, test } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { receiverObservations } from '../../suites/receiver/observations.ts';

const contract = loadContract();

/** What a URL can show of a receiver; crashes, outages, recovery and sender addresses need more. */
const shownByUrl = `
  RCV-1 RCV-2 RCV-4 RCV-5 RCV-6 RCV-7
  IDM-1 IDM-2 IDM-3 IDM-4 IDM-5
  VRF-1 VRF-2 VRF-3 VRF-4 VRF-5
  RTY-1 ROB-1`
  .trim()
  .split(/\s+/);

test('every requirement that a URL can show has a check', () => {
  const proven = new Set(receiverChecks.flatMap(({ requirements }) => requirements));
  expect([...proven].toSorted()).toEqual(shownByUrl.toSorted());
});

test('ids are unique', () => {
  expect(new Set(receiverChecks.map(({ id }) => id)).size).toBe(receiverChecks.length);
});

test('checks that disturb others come last', () => {
  const disturbing = receiverChecks.map(({ disturbs }) => disturbs === true);
  expect(disturbing.lastIndexOf(false)).toBeLessThan(disturbing.indexOf(true));
});

describe.each(receiverChecks)('$id', (check) => {
  test('names requirements of a receiver, and says in words what is right and how to mend it', () => {
    for (const id of check.requirements) expect(contract.requirement(id).subject).toBe('receiver');
    expect(check.id).toMatch(/^receiver\/[a-z]+\/[a-z-]+$/);
    expect(check.title).toMatch(/^[a-z].*[^.]$/);
    expect(check.hint).toMatch(/^[A-Z].{30,}[.]$/s);
    expect(check.requirements).toContain(check.fatal ?? check.requirements[0]);
  });
});

test('observations belong to checks and to gaps', () => {
  const gaps = contract.gaps.map(({ id }) => id);
  for (const { gap, beside } of receiverObservations) {
    expect(gaps).toContain(gap);
    expect(receiverChecks.map(({ id }) => id)).toContain(beside);
  }
});
