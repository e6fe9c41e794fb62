import { describe, expect, test } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { shippedTexts } from '../../spec/contractFiles.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { receiverObservations } from '../../suites/receiver/observations.ts';

const contract = loadContract();
/** Those of the tracking service, and those of contracts that sign timestamps. */
const required = new Map(
  [...loadContract(shippedTexts('standard-webhooks')).requirements, ...contract.requirements].map((row) => [
    row.id,
    row,
  ]),
);

test('every requirement of a receiver has a check', () => {
  const proven = new Set(receiverChecks.flatMap(({ requirements }) => requirements));
  const receivers = [...required.values()].filter(({ subject }) => subject === 'receiver');
  expect([...proven].toSorted()).toEqual(receivers.map(({ id }) => id).toSorted());
});

test('ids are unique', () => {
  expect(new Set(receiverChecks.map(({ id }) => id)).size).toBe(receiverChecks.length);
});

test('checks that run alone come last', () => {
  const isAlone = ({ schedule }: (typeof receiverChecks)[number]) =>
    schedule?.kind === 'alone' || schedule?.kind === 'interrupting';
  const others = receiverChecks.findLastIndex((check) => !isAlone(check));
  const early = receiverChecks.slice(0, others).filter(isAlone);
  expect(
    early.map(({ id }) => id),
    'give them a place after the others in suites/receiver/index.ts',
  ).toEqual([]);
});

describe.each(receiverChecks)('$id', (check) => {
  test('names requirements of a receiver, and says in words what is right and how to fix it', () => {
    for (const id of check.requirements) expect(required.get(id)?.subject).toBe('receiver');
    expect(check.id).toMatch(/^receiver\/[a-z]+\/[a-z-]+$/);
    expect(check.title).toMatch(/^[a-z].*[^.]$/);
    expect(check.hint).toMatch(/^[A-Z].{30,}[.]$/s);
    expect(check.needs.includes('process-control')).toBe(check.schedule?.kind === 'interrupting');
    expect(check.requirements).toContain(check.fatal ?? check.requirements[0]);
  });
});

test('observations belong to checks, and to gaps or requirements that leave something open', () => {
  const gaps = [...contract.gaps, ...contract.requirements].map(({ id }) => id);
  for (const { gap, beside } of receiverObservations) {
    expect(gaps).toContain(gap);
    expect(receiverChecks.map(({ id }) => id)).toContain(beside);
  }
});
