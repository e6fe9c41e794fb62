import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Activity } from '../../../runner/engine/activity.ts';
import { otherCases, TraitsOfMany } from '../../../runner/engine/agreement.ts';
import { caseSource } from '../../../runner/engine/cases.ts';
import { Property } from '../../../runner/engine/property.ts';
import type { Trier } from '../../../runner/engine/propertyRun.ts';
import { Deadline } from '../../../runner/engine/ending.ts';
import type { Found, Trial } from '../../../runner/engine/trial.ts';

const cases = caseSource({ id: 'a/check', cases: () => [fc.constant(0)] }, undefined, 1, 'quick');
const found = { requirements: ['A-1'], absence: false, actual: 'too many' };
const absent = { ...found, absence: true };
const held: Trial<Found> = { kind: 'held' };
const late: Trial<Found> = { kind: 'unproven', reason: 'the kit was late', final: false, doubted: true };
const open: Trial<Found> = { kind: 'unproven', reason: 'the twin was refused', final: false };

/** Tries cases of a target that nobody has seen die. */
function trierOf(attempt: Trier<Found>['try']): Trier<Found> {
  return {
    try: attempt,
    again: attempt,
    inTurn: false,
    over: () => Promise.resolve(false),
    explain: () => {},
    isExplained: () => false,
  };
}

/** A property whose cases end like this, one try after the other, and then hold. */
function property(trials: readonly Trial<Found>[], ended = new AbortController().signal): Property<Found> {
  const left = [...trials];
  const run = {
    intensity: 'quick',
    activity: new Activity(1, () => {}),
    ended,
    elapsed: () => 0,
    shrinkWidth: 1,
  } as const;
  return new Property<Found>(
    run,
    trierOf(() => Promise.resolve(left.shift() ?? held)),
  );
}

describe('what is left undecided', () => {
  test('may be tried once more where the kit was late each time', async () => {
    const one = property(Array(cases.count + 2).fill(late));
    await one.try(cases, { to: 1 });
    while (!one.isDeferred) await one.confirm();
    expect(one.result.unproven).toBe('the kit was late');
    while (one.isDeferred) await one.confirm();
    expect(one.result.unproven).toBeUndefined();
  });

  test('may be tried once more where the time for it was over', async () => {
    const one = property([open]);
    await one.try(cases, { to: 1 });
    await one.confirm(Deadline.in(0));
    expect(one.isDeferred).toBe(true);
    await one.confirm();
    expect([one.isDeferred, one.result.unproven]).toEqual([false, undefined]);
  });

  test('is not tried again where it showed nothing for a reason of its own', async () => {
    const one = property([open, open, open, open]);
    await one.try(cases, { to: 1 });
    await one.confirm();
    expect([one.isDeferred, one.result.unproven]).toEqual([false, 'the twin was refused']);
  });

  test('has the reason of the last try', async () => {
    const one = property([late, open, open, open]);
    await one.try(cases, { to: 1 });
    await one.confirm();
    expect(one.result.unproven).toBe('the twin was refused');
  });

  test('is no longer undecided where another try shows that it is not offered', async () => {
    const one = property([open, { kind: 'unobservable', reason: 'there is no list' }]);
    await one.try(cases, { to: 1 });
    await one.confirm();
    expect([one.isDeferred, one.result.unproven, one.result.unobservable]).toEqual([
      false,
      undefined,
      'there is no list',
    ]);
  });

  test.each([
    [held, false, 'a failure did not recur with fresh ids', undefined],
    [open, false, 'a failure could be neither confirmed nor ruled out (the twin was refused)', absent],
    [late, true, 'a failure could be neither confirmed nor ruled out (the kit was late)', absent],
  ])('of an absence, where another try ends as %j, deferred: %s', async (again, isDeferred, unproven, unconfirmed) => {
    const one = property([{ kind: 'broken', finding: absent }, again, again, again]);
    await one.try(cases, { to: 1 });
    await one.confirm();
    expect([one.isDeferred, one.result.unproven]).toEqual([isDeferred, `${unproven}: too many`]);
    expect(one.result.unconfirmed).toEqual(unconfirmed);
  });

  test('of an absence, where the run ends first', async () => {
    const ending = new AbortController();
    const one = property([{ kind: 'broken', finding: absent }], ending.signal);
    await one.try(cases, { to: 1 });
    expect(one.result.unconfirmed).toBeUndefined();
    ending.abort();
    expect(one.result.unconfirmed).toEqual(absent);
  });
});

test.each([
  ['no delivery', absent, 1],
  ['no effect', { ...absent, effects: [{ id: 'a', expected: 1, actual: 0 }] }, 2],
])('what failed by %s counts where it recurs often enough', async (_, finding, times) => {
  const after = async (recurrences: number) => {
    const again = Array.from({ length: recurrences }, () => ({ kind: 'broken', finding }) as const);
    const one = property([{ kind: 'broken', finding }, ...again, held]);
    await one.try(cases, { to: 1 });
    await one.confirm();
    return one.result.failure?.finding;
  };
  expect([await after(times - 1), await after(times)]).toEqual([undefined, finding]);
});

test('a check says so where the last answer of a case was none that can be judged', async () => {
  const [mute, seen] = [property([{ ...open, unusable: true }]), property([open])];
  for (const one of [mute, seen]) await one.try(cases, { to: 1 });
  expect([mute.result.unusable, seen.result.unusable]).toEqual([true, undefined]);
});

test('what is certain stands where the run ends before anything was confirmed', async () => {
  const ending = new AbortController();
  const one = property([{ kind: 'broken', finding: found }], ending.signal);
  await one.try(cases, { to: 1 });
  expect(one.result.failure).toBeUndefined();
  ending.abort();
  expect(one.result.failure?.finding).toEqual(found);
});

test('absences that cannot be confirmed are tried again side by side, and the first ones alone', async () => {
  const many = caseSource({ id: 'a/check', cases: () => [fc.nat()], weight: 1 }, undefined, 1, 'standard');
  const activity = new Activity(Infinity, () => {});
  const run = { intensity: 'standard', activity, ended: new AbortController().signal, elapsed: () => 0 } as const;
  const tried = new Set<number>();
  const again: number[] = [];
  const one = new Property<Found>(
    { ...run, shrinkWidth: 6 },
    trierOf(async ({ index }) => {
      const isFirst = !tried.has(index);
      tried.add(index);
      if (isFirst) return { kind: 'broken', finding: { ...found, absence: true } };
      again.push(index);
      await setImmediate();
      return open;
    }),
  );
  await one.try(many);
  await one.confirm();
  expect(many.count).toBeGreaterThan(5);
  expect(again.slice(0, 15)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 4, 3, 4, 3, 4]);
  expect(one.result.unproven).toContain('could be neither confirmed nor ruled out (the twin was refused)');
});

test('a later phase tries no case again that still waits in an earlier one', async () => {
  const activity = new Activity(Infinity, () => {});
  const waits = Promise.withResolvers<void>();
  const run = { intensity: 'quick', activity, ended: new AbortController().signal, elapsed: () => 0 } as const;
  const seen: number[] = [];
  const one = new Property<Found>(
    { ...run, shrinkWidth: 1 },
    trierOf(async ({ index }) => {
      seen.push(index);
      if (index === 0) await activity.park(waits.promise);
      return held;
    }),
  );
  const first = one.try(cases, { to: 1 });
  await expect.poll(() => seen).toEqual([0]);
  await one.try(cases);
  waits.resolve();
  await first;
  expect(seen).toEqual(Array.from({ length: cases.count }, (_, index) => index));
  expect(one.result.cases).toBe(cases.count);
});

describe('how many other cases failed', () => {
  const tried = (...differences: readonly (string | undefined)[]) =>
    differences.map((difference, index) => ({
      case: { ...cases.at(0), index },
      trial: { kind: 'broken' as const, finding: { ...found, ...(difference !== undefined && { difference }) } },
    }));
  const others = (all: ReturnType<typeof tried>) =>
    otherCases(
      all,
      { case: all[0]!.case, finding: all[0]!.trial.finding },
      { traitsOf: () => undefined, forgotten: new TraitsOfMany() },
    );

  test.each([
    [['a', 'b'], 'and in the other case: “b”'],
    [['a', 'b', 'c'], 'and in both other cases: “b”, “c”'],
    [['a', 'b', 'c', 'a'], 'and in all 3 other cases, such as “b”, “c”'],
    [[undefined, undefined], 'and in the other case'],
  ])('%j: %s', (differences, words) => {
    expect(others(tried(...differences))).toBe(words);
  });

  test('one that was answered otherwise is named with its answer', () => {
    const [first, second] = tried('a', 'b');
    const finding = { ...second!.trial.finding, actual: '500 Internal Server Error' };
    const all = [first!, { ...second!, trial: { kind: 'broken' as const, finding } }];
    expect(others(all)).toBe('and in the other case: “b” (500 Internal Server Error)');
  });

  test('one that is in doubt, and was not tried again, is none', () => {
    const [first, second, third] = tried('a', 'b', 'c');
    const all = [first!, { ...second!, trial: { ...second!.trial, doubted: true as const } }, third!];
    expect(others(all)).toBe('and in 1 of 2 other cases: “c”');
  });
});

test('one that stays open leaves the check open: the others are not tried again, which would take long', async () => {
  const many = caseSource({ id: 'a/check', cases: () => [fc.nat()], weight: 1 }, undefined, 1, 'standard');
  const run = { intensity: 'standard', ended: new AbortController().signal, elapsed: () => 0, shrinkWidth: 6 } as const;
  let tries = 0;
  const one = new Property<Found>(
    { ...run, activity: new Activity(Infinity, () => {}) },
    trierOf(() => {
      tries += 1;
      return Promise.resolve(open);
    }),
  );
  await one.try(many);
  const first = tries;
  await one.confirm();
  expect([first, tries - first]).toEqual([many.count, 2]);
  expect(one.result.unproven).toBe('the twin was refused');
});

test('where cases go one at a time, smaller ones are tried within the time for them, and not the whole group', async () => {
  const many = caseSource({ id: 'a/check', cases: () => [fc.nat({ max: 1000 })] }, undefined, 1, 'quick');
  const run = { intensity: 'quick', ended: new AbortController().signal, elapsed: () => 0, shrinkWidth: 6 } as const;
  const shrinkTime = 1;
  let tries = 0;
  const one = new Property<Found>(
    { ...run, shrinkTime, activity: new Activity(1, () => {}) },
    trierOf(() => {
      tries += 1;
      for (const from = performance.now(); performance.now() < from + 2 * shrinkTime;);
      return Promise.resolve({ kind: 'broken', finding: absent });
    }),
  );
  await one.try(many, { to: 1 });
  await one.confirm();
  const before = tries;
  await one.shrink();
  expect(tries - before).toBeLessThanOrEqual(2);
});

test('what breaks a MUST is reported, although a case before it breaks a SHOULD', async () => {
  const endings = ['S-1', 'S-1', 'M-1'].map((id) => ({ ...found, requirements: [id] }));
  const run = { intensity: 'quick', ended: new AbortController().signal, elapsed: () => 0, shrinkWidth: 1 } as const;
  const one = new Property<Found>(
    { ...run, activity: new Activity(1, () => {}), isMust: (id) => id === 'M-1', shrinkTime: 0 },
    trierOf(({ index }) => Promise.resolve({ kind: 'broken', finding: endings[index] ?? found })),
  );
  await one.try(cases, { to: endings.length });
  await one.confirm();
  expect(one.result.failure?.finding.requirements).toEqual(['M-1']);
});
