import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { caseSource, type GeneratedCase } from '../../../runner/engine/cases.ts';
import { shrunk, type Shrinking } from '../../../runner/engine/shrunk.ts';
import type { Found, Trial } from '../../../runner/engine/trial.ts';

const first = caseSource(
  { id: 'a/check', cases: () => [fc.integer({ min: 900, max: 1000 })] },
  undefined,
  1,
  'quick',
).at(0);
const finding: Found = { requirements: ['A-1', 'A-2'], absence: false, actual: 'too many' };
const held: Trial<Found> = { kind: 'held' };
const broken = (other: Partial<Found> = {}): Trial<Found> => ({ kind: 'broken', finding: { ...finding, ...other } });

async function smallest(
  attempt: (value: number, tried: number) => Trial<Found>,
  how: Partial<Shrinking> = {},
): Promise<unknown> {
  const tried = new Map<number, number>();
  const trial = ({ value }: GeneratedCase): Promise<Trial<Found>> => {
    const times = (tried.get(value as number) ?? 0) + 1;
    tried.set(value as number, times);
    return Promise.resolve(attempt(value as number, times));
  };
  const found = await shrunk({ case: first, finding }, trial, { ms: 60_000, width: 2, tries: 1, ...how });
  return found.case.value;
}

describe('a case is made smaller', () => {
  test('as long as one fails in the same way', async () => {
    expect(await smallest((value) => (value >= 910 ? broken({ requirements: ['A-1'] }) : held))).toBe(910);
  });

  test('but not to one that breaks another requirement, or fails by an absence', async () => {
    expect(await smallest(() => broken({ requirements: ['A-2', 'A-1'] }))).toBe(first.value);
    expect(await smallest(() => broken({ absence: true }))).toBe(first.value);
  });

  test('where it fails at the second try, if it is tried twice', async () => {
    const attempt = (value: number, tried: number): Trial<Found> => (value >= 910 && tried === 2 ? broken() : held);
    expect(await smallest(attempt)).toBe(first.value);
    expect(await smallest(attempt, { tries: 2 })).toBe(910);
  });

  test('in the time that there is', async () => {
    expect(await smallest(() => broken(), { ms: 0 })).toBe(first.value);
  });
});
