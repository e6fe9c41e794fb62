import { expect, test } from 'vitest';

import { findings } from '../../../reports/model/findings.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { check, checkFinished, counterexample, finished, requirement, started } from '../madeUpRun.ts';

test('of warnings, what was lost comes before a precaution, and whatever breaks a MUST before both', () => {
  const levels = { 'VRF-5': 'should', 'ROB-1': 'should', 'RCV-3': 'should', 'RTY-1': 'must' } as const;
  const ids = ['VRF-5', 'ROB-1', 'RCV-3', 'RTY-1'] as const;
  const { exchange } = counterexample();
  const lost = { ...exchange, effects: [{ id: 'an id', expected: 1, actual: 0 }] };
  const summary = summarise([
    started({
      requirements: ids.map((id) => requirement(id, '1', levels[id], id)),
      checks: ids.map((id) => check(`t/${id}`, id, [id], levels[id])),
    }),
    ...ids.map((id) =>
      checkFinished(`t/${id}`, levels[id] === 'must' ? 'failed' : 'warned', {
        counterexample: counterexample({ requirements: [id], exchange: id === 'RCV-3' ? lost : exchange }),
      }),
    ),
    finished(),
  ]);
  expect(findings(summary).map(({ check: { title } }) => title)).toEqual(['RTY-1', 'RCV-3', 'VRF-5', 'ROB-1']);
});
