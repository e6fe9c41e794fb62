import { describe, expect, test } from 'vitest';

import type { CheckFinished, RunEvent } from '../../../reports/model/events.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { createSummary, summarise } from '../../../reports/model/summary.ts';
import { verdictSentence } from '../../../reports/model/verdict.ts';
import {
  answered,
  attempt,
  check,
  checkFinished,
  checkStarted,
  counterexample,
  delivered,
  finished,
  requirement,
  started,
} from '../madeUpRun.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

const rows = [
  requirement('A', '1', 'must', 'a'),
  requirement('B', '2', 'must', 'b'),
  requirement('S', '3', 'should', 's'),
  requirement('M', '4', 'may', 'm'),
];
const checks = [
  check('t/a', 'a', ['A']),
  check('t/ab', 'ab', ['A', 'B']),
  check('t/bs', 'bs', ['B', 'S']),
  check('t/s', 's', ['S'], 'should'),
  check('t/m', 'm', ['M'], 'may'),
];

type Result = readonly [id: string, outcome: CheckFinished['outcome'], broken?: readonly string[]];

function result([id, outcome, broken]: Result): CheckFinished {
  return checkFinished(id, outcome, broken && { counterexample: counterexample({ requirements: broken }) });
}

/** A run of the checks above; those not named are not observable. */
function runOf(results: readonly Result[], strict = false, ...more: readonly RunEvent[]): RunSummary {
  const rest = checks.filter(({ id }) => !results.some(([named]) => named === id));
  const { run } = started();
  return summarise([
    started({ checks, requirements: rows, run: { ...run, strict } }),
    ...[...results, ...rest.map(({ id }): Result => [id, 'not-observable'])].map(result),
    ...more,
    finished(),
  ]);
}

function outcomes(summary: RunSummary): string {
  return summary.requirements.map(({ id, outcome }) => `${id} ${outcome}`).join(', ');
}

describe('a requirement', () => {
  test.each<[string, readonly Result[], string]>([
    [
      'is broken where a finding names it',
      [
        ['t/ab', 'failed', ['A']],
        ['t/a', 'passed'],
      ],
      'A broken, B inconclusive, S not-observed, M not-observed',
    ],
    [
      'is broken by a warning too',
      [['t/s', 'warned', ['S']]],
      'A not-observed, B not-observed, S broken, M not-observed',
    ],
    [
      'is not broken by a finding over another',
      [['t/ab', 'failed', ['A']]],
      'A broken, B inconclusive, S not-observed, M not-observed',
    ],
    [
      'does not hold where a check of it failed over another',
      [
        ['t/ab', 'failed', ['A']],
        ['t/bs', 'passed'],
      ],
      'A broken, B inconclusive, S holds, M not-observed',
    ],
    [
      'holds beside a check that only warned over another',
      [
        ['t/bs', 'warned', ['S']],
        ['t/ab', 'passed'],
      ],
      'A holds, B holds, S broken, M not-observed',
    ],
    [
      'does not hold because a check warned over another',
      [['t/bs', 'warned', ['S']]],
      'A not-observed, B inconclusive, S broken, M not-observed',
    ],
    [
      'is broken with all of its check where the finding names none',
      [['t/ab', 'failed']],
      'A broken, B broken, S not-observed, M not-observed',
    ],
    [
      'holds where one check passed and another was not observable',
      [['t/a', 'passed']],
      'A holds, B not-observed, S not-observed, M not-observed',
    ],
    [
      'is inconclusive where nothing else is known',
      [
        ['t/ab', 'inconclusive'],
        ['t/s', 'errored'],
      ],
      'A inconclusive, B inconclusive, S inconclusive, M not-observed',
    ],
    ['is not observed where nothing was', [], 'A not-observed, B not-observed, S not-observed, M not-observed'],
  ])('%s', (_, results, expected) => {
    expect(outcomes(runOf(results))).toBe(expected);
  });

  test('without any check is not observed', () => {
    expect(outcomes(summarise([started({ checks: [], requirements: rows }), finished()]))).toContain('A not-observed');
  });

  test('names the checks of the run that can show it broken', () => {
    expect(runOf([]).requirements.map(({ checks: ids }) => ids)).toEqual([
      ['t/a', 't/ab'],
      ['t/ab', 't/bs'],
      ['t/bs', 't/s'],
      ['t/m'],
    ]);
  });
});

const passing: readonly Result[] = [
  ['t/a', 'passed'],
  ['t/ab', 'passed'],
  ['t/bs', 'passed'],
];
/** The same start, with every MAY declared by an option; the last start counts. */
const declaration = started({
  checks,
  requirements: rows.map((row) => (row.level === 'may' ? { ...row, binding: true } : row)),
});
const lost: RunEvent = { type: 'target.lost', ms: 9, reason: 'it is gone', advice: 'start it again' };
const fault: RunEvent = { type: 'kit.errored', ms: 9, where: 'reporter json', message: 'disk full' };

describe('verdict and exit code', () => {
  test.each<[string, RunSummary, number, string]>([
    ['every MUST holds', runOf(passing), 0, 'conforms: 2 of 2 MUSTs observed, none broken'],
    ['some MUST was not observed', runOf([['t/a', 'passed']]), 0, 'inconclusive: 1 of 2 MUSTs observed, none broken'],
    ['a MUST is broken', runOf([['t/a', 'failed', ['A']]]), 1, 'does not conform: 1 of 2 MUSTs observed, broken: A'],
    [
      'a SHOULD is broken',
      runOf([...passing, ['t/s', 'warned', ['S']]]),
      0,
      'conforms: 2 of 2 MUSTs observed, none broken; 1 SHOULD broken: S',
    ],
    [
      'a SHOULD is broken, strictly',
      runOf([...passing, ['t/s', 'warned', ['S']]], true),
      1,
      'does not conform: 2 of 2 MUSTs observed, broken: S',
    ],
    [
      'a check of a MUST breaks only its SHOULD',
      runOf([
        ['t/a', 'passed'],
        ['t/ab', 'passed'],
        ['t/bs', 'warned', ['S']],
      ]),
      0,
      'conforms: 2 of 2 MUSTs observed, none broken; 1 SHOULD broken: S',
    ],
    [
      'a check of a SHOULD breaks its MUST',
      runOf([['t/bs', 'warned', ['B']]]),
      1,
      'does not conform: 1 of 2 MUSTs observed, broken: B',
    ],
    [
      'a MAY is broken that nobody declared',
      runOf([...passing, ['t/m', 'warned', ['M']]], true),
      0,
      'conforms: 2 of 2 MUSTs observed, none broken',
    ],
    [
      'a declared MAY is broken',
      runOf([...passing, ['t/m', 'warned', ['M']]], false, declaration),
      1,
      'does not conform: 2 of 2 MUSTs observed, broken: M',
    ],
    ['nothing was observable', runOf([]), 3, 'inconclusive: 0 of 2 MUSTs observed, none broken'],
    [
      'everything is inconclusive',
      runOf([['t/a', 'inconclusive']]),
      3,
      'inconclusive: 0 of 2 MUSTs observed, none broken',
    ],
    ['the target was lost', runOf(passing, false, lost), 3, 'conforms: 2 of 2 MUSTs observed, none broken'],
    [
      'a MUST is broken, then the target lost',
      runOf([['t/a', 'failed']], false, lost),
      1,
      'does not conform: 1 of 2 MUSTs observed, broken: A',
    ],
    [
      'the kit is at fault',
      runOf([['t/a', 'failed']], false, fault),
      70,
      'does not conform: 1 of 2 MUSTs observed, broken: A',
    ],
    ['a check errored', runOf([...passing, ['t/m', 'errored']]), 70, 'conforms: 2 of 2 MUSTs observed, none broken'],
  ])('%s', (_, summary, code, sentence) => {
    expect(exitCode(summary)).toBe(code);
    expect(verdictSentence(summary)).toBe(sentence);
  });

  test('an interruption goes before everything else', () => {
    const events = [
      started({ checks }),
      fault,
      lost,
      result(['t/a', 'failed']),
      finished({ complete: false, interrupted: true }),
    ];
    expect(exitCode(summarise(events))).toBe(130);
  });

  test('a run that did not come to its end never conforms', () => {
    const events = [started({ checks, requirements: rows }), ...passing.map(result)];
    const summary = summarise(events);
    expect(summary.requirements.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['holds', 'holds']);
    expect(summary.verdict).toBe('inconclusive');
    expect(exitCode(summary)).toBe(3);
  });
});

describe('a run without an end', () => {
  const events = [
    started({ checks }),
    checkStarted('t/a'),
    checkStarted('t/ab'),
    delivered({ ms: 77 }),
    result(['t/a', 'passed']),
  ];

  test('is incomplete: what had begun is inconclusive, the rest was not observed', () => {
    const summary = summarise(events);
    expect(summary).toMatchObject({ ended: false, interrupted: false, run: { complete: false, durationMs: 1000 } });
    expect(summary.checks.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['passed', undefined],
      ['inconclusive', 'the run ended before this check had ended'],
      ...Array.from({ length: 3 }, () => ['not-observable', 'the run ended before this check began']),
    ]);
    expect(summary.summary).toEqual({
      passed: 1,
      failed: 0,
      warned: 0,
      notObservable: 3,
      inconclusive: 1,
      errored: 0,
      deliveries: 1,
    });
  });

  test('says whether it was interrupted or lost its target', () => {
    const end = (...more: readonly RunEvent[]): string | undefined => summarise([...events, ...more]).checks[1]?.reason;
    expect(end(finished({ complete: false, interrupted: true }))).toBe(
      'the run was interrupted before this check had ended',
    );
    expect(end(lost, finished({ complete: false }))).toBe('the run ended before this check had ended');
    const control = { type: 'control.finished', ms: 1, accepted: true, attempt: attempt('{}', answered(202)) } as const;
    expect(end(control, lost, finished({ complete: false }))).toBe('the target was lost before this check had ended');
  });
});

test('a summary can be had at any moment, and not before the run has begun', () => {
  const builder = createSummary();
  expect(() => builder.summary()).toThrow('before the event run.started');
  builder.add(started({ checks, requirements: rows }));
  expect(builder.summary().summary.passed).toBe(0);
  builder.add(result(['t/a', 'passed']));
  expect(builder.summary().summary.passed).toBe(1);
});

test('control, observations and assumptions are kept; the same observation once', () => {
  const observed = { type: 'observed', ms: 1, gap: 'GAP-14', value: 'upper case', evidence: 'first' } as const;
  const control = { type: 'control.finished', ms: 1, accepted: false, attempt: attempt('{}', answered(500)) } as const;
  const summary = runOf(
    [],
    false,
    observed,
    { ...observed, evidence: 'second' },
    { ...observed, value: 'lower case' },
    control,
  );
  expect(summary.observations.map(({ value, evidence }) => `${value} ${evidence}`)).toEqual([
    'upper case first',
    'lower case first',
  ]);
  expect(summary.control).toEqual(control);
  expect(summary.assumptions).toEqual(started().assumptions);
});

test('results that the start of the run did not announce are a fault of the kit, not lost', () => {
  const summary = runOf([['t/a', 'failed', ['X-9']]], false, result(['t/unknown', 'passed']));
  expect(summary.errors.map(({ message }) => message)).toEqual([
    't/a finds the requirement X-9 broken, but run.started did not announce it',
    'the check t/unknown finished as passed, but run.started did not announce it',
  ]);
  expect(exitCode(summary)).toBe(70);
});
