import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { compareRuns, type Slower } from '../../../reports/model/compareRuns.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { check, checkFinished, delivered, finished, started } from '../madeUpRun.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** How long the answers of each check took, in milliseconds. */
type Times = readonly (readonly number[])[];

function runOf(times: Times, concurrency?: number): RunSummary {
  const checks = times.map((_, index) => check(`t/${index}`, 'a', ['VRF-3']));
  const { run } = started();
  return summarise([
    started({ checks, run: { ...run, ...(concurrency !== undefined && { concurrency }) } }),
    ...times.flatMap((answers, index) =>
      answers.map((ms) => delivered({ check: `t/${index}`, answer: { kind: 'answered', status: 200, ms } })),
    ),
    ...checks.map(({ id }) => checkFinished(id, 'passed')),
    finished(),
  ]);
}

/**
 * A receiver that answers in 4 to 10 ms, on a machine that pauses: one in twenty bursts of eight answers take up to 300 ms
 * more, all of them alike.
 */
function pausing(seed: number, count = 50): Times {
  let state = seed >>> 0;
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const burst = (): readonly number[] => {
    const pause = next() < 1 / 20 ? next() * 300 : 0;
    return Array.from({ length: 8 }, () => 4 + next() * 6 + pause);
  };
  return Array.from({ length: count }, () => Array.from({ length: 1 + Math.floor(next() * 5) }, burst).flat());
}

function slower(before: Times, after: Times): readonly Slower[] {
  return compareRuns(runOf(before), runOf(after)).slower;
}

const even: Times = Array.from({ length: 40 }, () => Array.from({ length: 20 }, (_, index) => 5 + index / 4));

function changed(times: Times, change: (ms: number, index: number) => number): Times {
  return times.map((answers) => answers.map(change));
}

const seeds = fc.tuple(fc.nat(2 ** 31), fc.nat(2 ** 31));

describe('of a receiver that did not change, on a machine that pauses,', () => {
  test('nothing is reported', () => {
    fc.assert(
      fc.property(seeds, ([one, other]) => {
        expect(slower(pausing(one), pausing(other))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('of a receiver that became slower it is reported', () => {
  test('where each answer takes 50 ms more', () => {
    fc.assert(
      fc.property(seeds, ([one, other]) => {
        const after = changed(pausing(other), (ms) => ms + 50);
        expect(slower(pausing(one), after)).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test('where half of the answers take twice as long', () => {
    const after = changed(even, (ms, index) => (index % 2 === 0 ? ms : ms * 2));
    expect(slower(even, after).map(({ what }) => what)).toContain(
      "the time in which 95% of a check's answers came (median of 40 checks)",
    );
  });

  test('with both figures, of the check in the middle', () => {
    const after = changed(even, (ms) => ms * 2);
    const reported = slower(even, after);
    expect(reported.map(({ what, before, after }) => [what, Math.round(before), Math.round(after)])).toEqual([
      ["the time in which half of a check's answers came (median of 40 checks)", 7, 15],
      ["the time in which 95% of a check's answers came (median of 40 checks)", 10, 20],
    ]);
  });
});

describe('nothing is reported', () => {
  test.each<[string, Times, Times]>([
    ['of answers that are a little slower', even, changed(even, (ms) => ms * 1.1)],
    ['of answers that are faster', changed(even, (ms) => ms * 2), even],
    ['of less than a millisecond', changed(even, (ms) => ms / 50), changed(even, (ms) => ms / 25)],
    ['of too few checks', even.slice(0, 12), changed(even.slice(0, 12), (ms) => ms * 9)],
    ['of checks with too few answers', changed(even, (ms) => ms).map((row) => row.slice(0, 4)), even],
    ['of a third of the checks', even, even.map((row, index) => (index % 3 === 0 ? row.map((ms) => ms * 9) : row))],
  ])('%s', (_, before, after) => {
    expect(slower(before, after)).toEqual([]);
  });

  test('of checks that did not end alike: a failure is made smaller, by other deliveries', () => {
    const after = runOf(changed(even, (ms) => ms * 9));
    const failed = { ...after, checks: after.checks.map((each) => ({ ...each, outcome: 'failed' as const })) };
    expect(compareRuns(runOf(even), failed).slower).toEqual([]);
  });

  test('of runs with another concurrency, which is a caution', () => {
    const { slower: reported, cautions } = compareRuns(
      runOf(even, 4),
      runOf(
        changed(even, (ms) => ms * 9),
        16,
      ),
    );
    expect(reported).toEqual([]);
    expect(cautions).toEqual(['The values of --concurrency differ (4, and then 16): slower answers are not reported.']);
  });
});
