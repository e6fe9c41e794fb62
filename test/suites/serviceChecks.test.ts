import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { openContract } from '../../runner/options/openContract.ts';
import { applicable } from '../../suites/applicable.ts';
import { contractSuites } from '../../suites/contracts/index.ts';
import { serviceChecks } from '../../suites/service/index.ts';

const contract = loadContract();

/** What cannot be seen from outside: it takes crashes and restarts. */
const needsMore = ['DLV-7'];

test('every requirement of a service that can be seen from outside has a check', () => {
  const ids = contract.requirements.filter(({ subject }) => subject === 'service').map(({ id }) => id);
  const proven = new Set<string>(serviceChecks.flatMap(({ requirements }) => requirements));
  expect(ids.filter((id) => !proven.has(id) && !needsMore.includes(id))).toEqual([]);
});

test('what one contract adds applies to no other', () => {
  const press = fileURLToPath(new URL('../../reference/press/contract.yaml', import.meta.url));
  for (const [name, { checks, after }] of Object.entries(contractSuites)) {
    expect(applicable(openContract({ contract: name }), checks)).toEqual(checks);
    expect(applicable(openContract({ contract: press }), checks)).toEqual([]);
    const placed = Object.values(after).flat();
    expect(placed.toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
  }
});

test('ids are unique', () => {
  expect(new Set<string>(serviceChecks.map(({ id }) => id)).size).toBe(serviceChecks.length);
});

test('checks that run alone come last', () => {
  const isAlone = ({ schedule }: (typeof serviceChecks)[number]) =>
    schedule?.kind === 'alone' || schedule?.kind === 'interrupting';
  const others = serviceChecks.findLastIndex((check) => !isAlone(check));
  const early = serviceChecks.slice(0, others).filter(isAlone);
  expect(
    early.map(({ id }) => id),
    'give them a place after the others in suites/service/index.ts',
  ).toEqual([]);
});

describe.each(serviceChecks)('$id', (check) => {
  test('names requirements of a service, and says in words what is right and how to fix it', () => {
    for (const id of check.requirements) expect(contract.requirement(id).subject).toBe('service');
    expect(check.id).toMatch(/^service\/[a-z-]+\/[a-z-]+$/);
    expect(check.title).toMatch(/^[a-z].*[^.]$/);
    expect(check.hint).toMatch(/^[A-Z].{30,}[.]$/s);
    expect(check.needs.includes('process-control')).toBe(check.schedule?.kind === 'interrupting');
    expect(check.requirements).toContain(check.fatal ?? check.requirements[0]);
  });
});
