import { expect, test } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { runProblems } from '../../../reports/model/runProblems.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { mergeRuns } from '../../../reports/model/mergeRuns.ts';
import { verdictSentence } from '../../../reports/model/verdict.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { check, checkFinished, finished, requirement, started } from '../madeUpRun.ts';

/** A run of which one requirement holds, one needs an option, and one has no check, and that had to observe these. */
function runThatRequires(...required: readonly string[]): readonly RunEvent[] {
  const rows = ['VRF-1', 'IDM-1', 'ROB-1'].map((id) => requirement(id, '1', 'must', id));
  return [
    started({
      checks: [check('t/verify', 'verifies', ['VRF-1']), check('t/once', 'takes effect once', ['IDM-1'])],
      requirements: rows.map((row) => (required.includes(row.id) ? { ...row, required: true as const } : row)),
    }),
    checkFinished('t/verify', 'passed'),
    checkFinished('t/once', 'not-observable', { reason: 'needs to see effects: give --probe' }),
    finished(),
  ];
}

test('what was required and observed changes nothing', () => {
  const summary = summarise(runThatRequires('VRF-1'));
  expect(exitCode(summary)).toBe(0);
  expect(runProblems(summary)).toEqual([]);
});

test('what was required and not observed fails the run, which says why', () => {
  const summary = summarise(runThatRequires('VRF-1', 'IDM-1', 'ROB-1'));
  expect(exitCode(summary)).toBe(1);
  expect(verdictSentence(summary)).toMatch(/; required and not observed: IDM-1, ROB-1$/);
  expect(runProblems(summary)).toEqual([
    {
      title: 'the run did not observe 2 required requirements',
      text: '--require says that they have to be observed.\nIDM-1: needs to see effects: give --probe\nROB-1: no check of it was selected',
    },
  ]);
});

test('a run that was merged of parts requires what any of them does', () => {
  const parts = [summarise(runThatRequires()), summarise(runThatRequires('IDM-1'))] as const;
  expect(exitCode(mergeRuns(parts))).toBe(1);
});
