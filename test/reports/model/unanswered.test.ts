import { expect, test } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import type { ReportedAnswer } from '../../../reports/model/exchange.ts';
import { runProblems } from '../../../reports/model/runProblems.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { answered, attempt, check, checkFinished, finished, requirement, started } from '../madeUpRun.ts';

/** A run whose second check is undecided. */
function runWith({
  unanswered = false,
  elsewhere = false,
  level = 'must' as 'must' | 'should',
  first = answered(200),
}) {
  const requirements = [requirement('VRF-1', '1', 'must', 'VRF-1'), requirement('IDM-1', '1', level, 'IDM-1')];
  const checks = [
    check('t/verify', 'verifies', elsewhere ? ['VRF-1', 'IDM-1'] : ['VRF-1']),
    check('t/once', 'takes effect once', ['IDM-1']),
  ];
  return summarise([
    started({ checks, requirements }),
    {
      type: 'control.finished',
      ms: 1,
      accepted: first.kind === 'answered' && first.cut === undefined,
      attempt: attempt('{}', first),
      instead: 'it goes on',
    },
    checkFinished('t/verify', 'passed'),
    checkFinished('t/once', 'inconclusive', { reason: 'no answer', ...(unanswered && { unanswered: true as const }) }),
    finished(),
  ]);
}

test.each([
  ['a MUST stays undecided for want of an answer that can be judged', { unanswered: true }, 3],
  ['it stays undecided for another reason, such as the time', {}, 0],
  ['another check shows that it holds', { unanswered: true, elsewhere: true }, 0],
  ['it is a SHOULD', { unanswered: true, level: 'should' as const }, 0],
  ['the answer to the plain request was cut off', { first: { ...answered(201), cut: 5 } as ReportedAnswer }, 3],
])('where %s', (_, how, code) => {
  const summary = runWith(how);
  expect(exitCode(summary)).toBe(code);
  const titles = runProblems(summary).map(({ title }) => title);
  expect(titles).toEqual(code === 0 ? [] : ['the receiver gave too few answers that can be judged']);
});
