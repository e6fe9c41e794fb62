import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  drawStep,
  type Gene,
  type Kinds,
  smallerSteps,
  drawProgram,
  type Program,
  stepsOf,
} from '../../../runner/fuzz/gene.ts';
import { shrinkProgram, slotsInOrder, subsequences } from '../../../runner/fuzz/shrinkProgram.ts';

const slot = fc.constantFrom('c', 'd', 'e');

const kinds: Kinds = new Map(
  ['put', 'take'].map((kind) => [
    kind,
    { kind, weight: 1, steps: fc.record({ do: fc.constant(kind), slot, size: fc.nat(1000) }) },
  ]),
);

function gene(kind: string, seed: number): Gene {
  return { kind, seed, path: '' };
}

test('a gene draws the same step again, shrunk ones included', () => {
  const drawn = drawStep(kinds, gene('put', 11))!;
  expect(drawStep(kinds, gene('put', 11))!.step).toEqual(drawn.step);
  const smaller = [...smallerSteps(drawn)];
  expect(smaller.length).toBeGreaterThan(1);
  for (const each of smaller) expect(drawStep(kinds, each.gene)!.step).toEqual(each.step);
  expect(drawStep(kinds, gene('nothing of that kind', 1))).toBeUndefined();
});

test.each([1, 2, 96])('a sequence shrinks to what is needed, %i at a time', async (width) => {
  const genes = Array.from({ length: 12 }, (_, place) => gene(place % 2 === 0 ? 'put' : 'take', place * 31 + 5));
  const program = drawProgram(kinds, genes);
  let rounds = 0;
  const smallest = await shrinkProgram(
    { program, finding: 'broken' },
    {
      width,
      goesOn: () => rounds++ < 2000,
      play: async (candidates) =>
        candidates.map((each) => (fails(each) ? { program: each, finding: 'broken' } : undefined)),
    },
  );
  expect(stepsOf(smallest.program)).toEqual([
    { do: 'put', slot: 'a', size: 10 },
    { do: 'take', slot: 'a', size: 0 },
  ]);
});

/** A put of at least ten, and a take later: slots do not matter here. */
function fails(program: Program): boolean {
  const steps = stepsOf(program) as readonly { do: string; size: number }[];
  const put = steps.findIndex((step) => step.do === 'put' && step.size >= 10);
  return put !== -1 && steps.slice(put).some((step) => step.do === 'take');
}

test('slots are named in the order in which they appear', () => {
  const steps = drawProgram(kinds, [gene('put', 1), gene('put', 2), gene('put', 3), gene('take', 1)]).steps;
  const named = slotsInOrder(steps).map(({ step }) => (step as unknown as { slot: string }).slot);
  expect(named[0]).toBe('a');
  expect(named[3]).toBe('a');
  expect(slotsInOrder(slotsInOrder(steps))).toEqual(slotsInOrder(steps));
});

test('all shorter parts of a short list are there, and of a long one those that matter', () => {
  expect(subsequences([1, 2, 3], 96)).toEqual([[1], [2], [3], [1, 2], [1, 3], [2, 3]]);
  expect(subsequences([1, 2, 3, 4], 2)).toEqual([
    [3, 4],
    [1, 2],
    [2, 3, 4],
    [1, 3, 4],
    [1, 2, 4],
    [1, 2, 3],
  ]);
  const long = subsequences(
    Array.from({ length: 24 }, (_, place) => place),
    96,
  );
  expect(long.filter(({ length }) => length === 23)).toHaveLength(24);
  expect(long.filter(({ length }) => length === 1)).toHaveLength(24);
});
