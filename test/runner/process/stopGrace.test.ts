import { expect, test } from 'vitest';

import { StopGrace } from '../../../runner/process/stopGrace.ts';

test('an end that was awaited in vain is awaited no longer than the slowest end took, twice', () => {
  const grace = new StopGrace();
  expect(grace.ms).toBe(15_000);
  grace.note(true, 3_000);
  expect(grace.ms).toBe(15_000);
  grace.note(false, 15_000);
  expect(grace.ms).toBe(6_000);
});

test('one that never ended by itself gets the time to answer what is in flight', () => {
  const grace = new StopGrace();
  grace.note(false, 15_000);
  expect(grace.ms).toBe(2_000);
  const short = new StopGrace(300);
  short.note(false, 300);
  expect(short.ms).toBe(300);
});
