import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, onTestFinished, test } from 'vitest';

import { compared, comparisonTable, type SavedTable } from '../../bench/compare.ts';
import { type Figures, type Group, inTurns, measured, type Row } from '../../bench/group.ts';
import { table } from '../../bench/table.ts';
import { root } from '../docs/documents.ts';
import { isProof } from '../proof/testReceiver.ts';

/** A group whose rounds show these figures, after one that warms up. */
function groupOf(rounds: readonly Figures[], given: Partial<Group> = {}): Group {
  let next = 0;
  return {
    name: 'trial',
    how: 'One beside the other.',
    unit: 'per second',
    moreIsBetter: true,
    open: async () => ({ round: async () => rounds[next++]!, pairs: [['kit', 'bare']] }),
    ...given,
  };
}

const warm = { kit: 1, bare: 1000 };

/** The rows of three rounds with these figures of the kit, beside 100 each time. */
function rowsOf(figures: readonly number[], given: Partial<Group> = {}): Promise<readonly Row[]> {
  return measured(groupOf([warm, ...figures.map((kit) => ({ kit, bare: 100 }))], given), figures.length);
}

test('a ratio is taken within a round: its median is not that of the figures divided', async () => {
  const rounds = [warm, { kit: 10, bare: 100 }, { kit: 40, bare: 50 }, { kit: 20, bare: 400 }];
  const [row] = await measured(groupOf(rounds), 3);
  expect(row?.measured).toEqual({
    rounds: 3,
    own: { min: 10, median: 20, max: 40 },
    base: { min: 50, median: 100, max: 400 },
    ratio: { min: 0.05, median: 0.1, max: 0.8 },
  });
});

test('each round begins with another contender, and all of them have their turn', async () => {
  const order: string[] = [];
  const contender = (name: string) => [name, () => order.push(name)] as const;
  const round = inTurns(Object.fromEntries(['a', 'b', 'c'].map(contender)));
  for (const place of [0, 1, 2, 3]) order.push(`${Object.keys(await round(place)).length}:`);
  expect(order.join('')).toBe('abc3:bca3:cab3:abc3:');
});

test('what a group has opened is closed, also where a round fails', async () => {
  let closed = 0;
  const failing = groupOf([], {
    open: async () => ({
      round: () => Promise.reject(new Error('the server is gone')),
      pairs: [],
      close: async () => void closed++,
    }),
  });
  await expect(measured(failing, 1)).rejects.toThrow('the server is gone');
  expect(closed).toBe(1);
});

test('the table has a line a row, and says what this machine lacks', async () => {
  const lacking = await measured(groupOf([{ kit: 5 }]), 1);
  expect(table([...(await rowsOf([20, 30, 25], { unit: 'ms' })), ...lacking])).toMatchInlineSnapshot(`
    "measured  beside     ratio  least  most  median  unit
    kit       bare        0.25   0.20  0.30      25  ms
    kit       bare    not here                       per second"
  `);
});

test('a comparison calls better and worse what lies apart, and the same what overlaps', async () => {
  const before = await rowsOf([20, 30, 25]);
  const changeTo = async (figures: readonly number[], given: Partial<Group> = {}) => {
    const [row] = compared(await rowsOf([20, 30, 25], given), await rowsOf(figures, given));
    return row?.change;
  };
  expect(await changeTo([29, 40, 50])).toBe('same');
  expect(await changeTo([31, 40, 50])).toBe('better');
  expect(await changeTo([10, 15, 19])).toBe('worse');
  expect(await changeTo([31, 40, 50], { moreIsBetter: false })).toBe('worse');
  expect(await changeTo([10, 15, 19], { moreIsBetter: false })).toBe('better');
  const others = await rowsOf([50, 50], { name: 'another' });
  expect(comparisonTable(compared(before, others))).toMatchInlineSnapshot(`
    "measured  beside  before   now  by  change
    kit       bare            0.50      new
    kit       bare      0.25            gone"
  `);
});

test.runIf(isProof)(
  'npm run bench measures what it is asked for, saves its table, and compares itself with it',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seaworthy-bench-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'table.json');
    const bench = async (...words: readonly string[]) =>
      (
        await promisify(execFile)(process.execPath, ['bench/main.ts', '--rounds', '1', '--part', '0.3', ...words], {
          cwd: root,
        })
      ).stdout;
    const shown = await bench('making', 'catching', '--save', file);
    const { rows } = JSON.parse(await readFile(file, 'utf8')) as SavedTable;
    const names = rows.map(({ name }) => name);
    expect(names).toEqual(['generation', 'validation', 'signing', 'serialising', 'whole delivery', 'catcher']);
    for (const { name, base, measured: seen } of rows) {
      expect(seen?.rounds).toBe(1);
      expect(seen?.ratio.median).toBeCloseTo(seen!.own.median / seen!.base.median);
      expect(shown).toMatch(new RegExp(`^${name} +${base} +${seen!.ratio.median.toFixed(2)}`, 'm'));
    }
    const [, comparison] = (await bench('catching', '--compare', file)).split(`Beside ${file}:`);
    for (const { name, base, measured: seen } of rows.filter(({ group }) => group === 'catching'))
      expect(comparison).toMatch(new RegExp(`^${name} +${base} +${seen!.ratio.median.toFixed(2)}`, 'm'));
  },
);

test('npm run bench names the groups where it is asked for one that is none', async () => {
  const asked = promisify(execFile)(process.execPath, ['bench/main.ts', 'speed'], { cwd: root });
  await expect(asked).rejects.toThrow(/There is no group speed\. The groups are making, .*report\./);
});
