import { expect, test } from 'vitest';

import { findings } from '../../../reports/model/findings.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { check, checkFinished, counterexample, finished, requirement, started } from '../madeUpRun.ts';

test('of warnings, what was lost comes before a precaution, and whatever breaks a MUST before both', () => {
  const levels = { 'VRF-5': 'should', 'ROB-1': 'should', 'RCV-3': 'should', 'RTY-1': 'must' } as const;
  const ids = ['ROB-1', 'VRF-5', 'RCV-3', 'RTY-1'] as const;
  const { exchange } = counterexample();
  const effects = {
    'RCV-3': [{ id: 'an id', expected: 1, actual: 0 }],
    'ROB-1': [{ id: 'an id', expected: 0, actual: 1 }],
  };
  const summary = summarise([
    started({
      requirements: ids.map((id) => requirement(id, '1', levels[id], id)),
      checks: ids.map((id) => check(`t/${id}`, id, [id], levels[id])),
    }),
    ...ids.map((id) =>
      checkFinished(`t/${id}`, levels[id] === 'must' ? 'failed' : 'warned', {
        counterexample: counterexample({
          requirements: [id],
          exchange: id in effects ? { ...exchange, effects: effects[id as keyof typeof effects] } : exchange,
        }),
      }),
    ),
    finished(),
  ]);
  expect(findings(summary).map(({ check: { title } }) => title)).toEqual(['RTY-1', 'RCV-3', 'ROB-1', 'VRF-5']);
});

test('of what breaks the same, what fails without a condition comes before what one seems to explain', () => {
  const { difference: _, ...plain } = counterexample().exchange;
  const attempts = plain.attempts.flatMap((attempt) => [attempt, attempt]);
  const exchanges = { conditional: { ...plain, difference: 'a header' }, longer: { ...plain, attempts }, plain };
  const summary = summarise([
    started({
      requirements: [requirement('DLV-6', '6', 'must', 'DLV-6')],
      checks: Object.keys(exchanges).map((title) => check(`t/${title}`, title, ['DLV-6'], 'must')),
    }),
    ...Object.entries(exchanges).map(([title, exchange]) =>
      checkFinished(`t/${title}`, 'failed', { counterexample: counterexample({ requirements: ['DLV-6'], exchange }) }),
    ),
    finished(),
  ]);
  expect(findings(summary).map(({ check: { title } }) => title)).toEqual(['plain', 'longer', 'conditional']);
});

test('of what breaks the same at an interruption, the one with the fewest deliveries around it comes first', () => {
  const numbers = { many: 40, one: 1, two: 2 };
  const summary = summarise([
    started({
      requirements: [requirement('RCV-3', '4.4', 'should', 'RCV-3')],
      checks: Object.keys(numbers).map((title) => check(`t/${title}`, title, ['RCV-3'], 'should')),
    }),
    ...Object.entries(numbers).map(([title, length]) =>
      checkFinished(`t/${title}`, 'warned', {
        counterexample: counterexample({
          requirements: ['RCV-3'],
          timeline: Array.from({ length }, (_, ms) => ({ ms, what: 'sent' as const, id: 'an id' })),
        }),
      }),
    ),
    finished(),
  ]);
  expect(findings(summary).map(({ check: { title } }) => title)).toEqual(['one', 'two', 'many']);
});
