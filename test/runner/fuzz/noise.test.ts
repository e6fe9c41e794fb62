import { describe, expect, test } from 'vitest';

import { isNoise, lostShare } from '../../../runner/fuzz/lookout.ts';
import type { FuzzFound, FuzzTarget } from '../../../runner/fuzz/fuzzTarget.ts';
import type { Program } from '../../../runner/fuzz/gene.ts';

/** A target that leaves every so-manieth plain request unanswered; none at 0. */
function losing(every: number): FuzzTarget<FuzzFound> {
  let asked = 0;
  const answers = (): Promise<boolean> => Promise.resolve(++asked % every !== 0);
  const known = { answers, elapsed: () => 0, ended: new AbortController().signal };
  return known as Partial<FuzzTarget<FuzzFound>> as FuzzTarget<FuzzFound>;
}

const one = { steps: [{ step: {} }] } as unknown as Program;

function failing(failed: number, tries: number, { absence = true, requests = 2 } = {}) {
  const finding: FuzzFound = { requirements: ['IDM-1'], absence, actual: '', cause: 'refused', expected: '' };
  return { finding, program: one, confirmed: { failed, tries, requests } };
}

describe('a failure that comes again now and then', () => {
  test.each([
    ['is noise where every tenth answer is lost', 10, failing(1, 10), true],
    ['is none where it comes more often than answers are lost', 10, failing(8, 10), false],
    ['is none where no answer is lost', 0, failing(1, 10), false],
    ['is none where it comes each time', 10, failing(4, 4), false],
    ['is none where it is a fact whenever it is seen', 10, failing(1, 10, { absence: false }), false],
    [
      'is noise where it comes each time, and sends so much that some of it is lost each time',
      10,
      failing(4, 4, { requests: 40 }),
      true,
    ],
    ['is noise where there was no time to try it again', 10, failing(0, 0), true],
    ['is noise where no answer comes at all', 1, failing(1, 10), true],
  ])('%s', async (_, every, seen, expected) => {
    expect(isNoise(seen, await lostShare(losing(every)))).toBe(expected);
  });
});
