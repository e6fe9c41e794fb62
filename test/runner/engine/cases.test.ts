import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { caseSource, shrunkCases, smallestOf } from '../../../runner/engine/cases.ts';
import { receiverCheck } from '../../../suites/check.ts';
import type { Draw } from '../../../suites/draw.ts';
import { notification } from '../../../generators/notification/notification.ts';
import { loadContract } from '../../../spec/contract.ts';

const draw = {} as Draw;
const kinds = [fc.nat({ max: 1000 }), fc.string({ minLength: 1 }), fc.constant(null)];
const check = receiverCheck<unknown>({
  id: 'receiver/test/cases',
  title: 'is only here for its cases',
  requirements: ['RCV-1'],
  needs: [],
  cases: () => kinds,
  run: () => Promise.resolve(undefined),
  hint: '',
});

function valuesOf(seed: number, id = check.id): readonly unknown[] {
  const source = caseSource({ ...check, id }, draw, seed, 'quick');
  return Array.from({ length: source.count }, (_, index) => source.at(index).value);
}

describe('the cases of a check', () => {
  test('are the same for the same seed', () => {
    expect(valuesOf(7)).toEqual(valuesOf(7));
  });

  test('are others for another seed, and for another check', () => {
    expect(valuesOf(8)).not.toEqual(valuesOf(7));
    expect(valuesOf(7, 'receiver/test/other')).not.toEqual(valuesOf(7));
  });

  test('do not depend on which of them were asked for before', () => {
    const source = caseSource(check, draw, 7, 'quick');
    expect(source.at(4).value).toEqual(valuesOf(7)[4]);
  });

  test('are made anew, the same, where they were let go of', () => {
    const one = caseSource(check, draw, 7, 'quick').at(3);
    const first = one.value;
    expect(one.value).toBe(first);
    one.letGo?.();
    expect(one.value).toEqual(first);
    expect([...shrunkCases(one)].map(({ value }) => value)).toEqual(
      [...shrunkCases(caseSource(check, draw, 7, 'quick').at(3))].map(({ value }) => value),
    );
  });

  test('hold every kind at any intensity', () => {
    const { count } = caseSource({ ...check, weight: 0.001 }, draw, 7, 'quick');
    expect(count).toBe(kinds.length);
    expect(
      valuesOf(7)
        .slice(0, 3)
        .map((value) => typeof value),
    ).toEqual(['number', 'string', 'object']);
  });

  test('hold one variant of a kind that has several, and from standard on every one before any twice', () => {
    const variants = { ...check, cases: () => [fc.constant('only'), ['a', 'b', 'c'].map((text) => fc.constant(text))] };
    const shown = (seed: number, intensity: 'quick' | 'standard') => {
      const source = caseSource({ ...variants, weight: 0.001 }, draw, seed, intensity);
      return Array.from({ length: source.count }, (_, index) => String(source.at(index).value));
    };
    expect(shown(7, 'quick')).toEqual(shown(7, 'standard').slice(0, 2));
    expect(shown(7, 'quick')[0]).toBe('only');
    expect(shown(7, 'standard').toSorted()).toEqual(['a', 'b', 'c', 'only']);
    expect(new Set(Array.from({ length: 20 }, (_, seed) => shown(seed, 'quick')[1])).size).toBe(3);
  });

  test('are fewer where each is dear, and one of each kind at least', () => {
    const variants = { ...check, cases: () => [fc.constant('only'), ['a', 'b', 'c'].map((text) => fc.constant(text))] };
    const count = (share: number) => caseSource(variants, draw, 7, 'standard', { share, least: 'kinds' }).count;
    expect([1, 0.5, 0.01].map(count)).toEqual([36, 18, 2]);
  });

  test('are of the first kinds alone where one of each is too dear', () => {
    const { count, ofEachKind } = caseSource(check, draw, 7, 'quick', { share: 0.01, kinds: 1 });
    expect([count, ofEachKind]).toEqual([1, 1]);
  });

  test('are more at a higher intensity', () => {
    const counts = (['quick', 'standard', 'thorough'] as const).map(
      (intensity) => caseSource(check, draw, 7, intensity).count,
    );
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(new Set(counts).size).toBe(3);
  });
});

test('shrunk cases are smaller, and their paths lead back to them', () => {
  const source = caseSource(check, draw, 7, 'quick');
  const first = source.at(0);
  const [smaller] = shrunkCases(first);
  expect(smaller!.value as number).toBeLessThan(first.value as number);
  expect(smaller!.path).toBe('0:0');
});

test('the smallest value is found by shrinking', () => {
  expect(smallestOf(fc.array(fc.nat(), { minLength: 2 }))).toEqual([0, 0]);
});

test('the smallest value is found where the lowest one is filtered out', () => {
  expect(smallestOf(fc.nat().filter((number) => number > 0))).toBe(1);
});

test('the smallest value costs little of the largest arbitrary', () => {
  const contract = loadContract();
  const arbitrary = notification(contract, contract.events[0]);
  let made = 0;
  smallestOf(arbitrary.map((value) => (made++, value)));
  expect(made).toBeLessThan(10);
});
