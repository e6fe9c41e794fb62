import { describe, expect, test } from 'vitest';

import type { CheckFinished, RunEvent, RunStarted } from '../../../reports/model/events.ts';
import { unmetExpectations } from '../../../reports/model/expectations.ts';
import { unobservedRequired } from '../../../reports/model/requirementOutcome.ts';
import { mergeRuns } from '../../../reports/model/mergeRuns.ts';
import { shardDifferences } from '../../../reports/model/shards.ts';
import { summarise } from '../../../reports/model/summary.ts';
import {
  check,
  checkFinished,
  checkStarted,
  counterexample,
  delivered,
  failingRun,
  finished,
  requirement,
  started,
} from '../madeUpRun.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

const rows = [requirement('A', '1', 'must', 'a'), requirement('B', '2', 'must', 'b')];

/** A part of a run: the checks that it holds, each of the requirement in its name. */
function part(
  outcomes: Readonly<Record<string, CheckFinished['outcome']>>,
  { more = [], end = [finished()], ...parts }: Partial<RunStarted> & Ending = {},
): RunSummary {
  const checks = Object.keys(outcomes).map((id) => check(id, id, [id.startsWith('t/a') ? 'A' : 'B']));
  const results = Object.entries(outcomes).map(([id, outcome]) =>
    checkFinished(id, outcome, outcome === 'failed' ? { counterexample: counterexample({ requirements: [] }) } : {}),
  );
  return summarise([started({ checks, requirements: rows, ...parts }), ...results, ...more, ...end]);
}

interface Ending {
  readonly more?: readonly RunEvent[];
  readonly end?: readonly RunEvent[];
}

const { run } = started();

describe('parts of a run', () => {
  test('are one: checks, counts, requirements, verdict and traffic', () => {
    const whole = mergeRuns([
      part(
        { 't/a': 'passed' },
        { more: [delivered(), delivered()], command: 'seaworthy receiver u --only A --seed 42' },
      ),
      part({ 't/b': 'failed' }, { more: [delivered()], run: { ...run, id: 'run-2' } }),
    ]);
    expect(whole.run).toMatchObject({ id: 'run-1+run-2', complete: true, durationMs: 16_800 });
    expect(whole.summary).toMatchObject({ passed: 1, failed: 1, deliveries: 3 });
    expect(whole.requirements.map(({ id, outcome, checks }) => [id, outcome, checks])).toEqual([
      ['A', 'holds', ['t/a']],
      ['B', 'broken', ['t/b']],
    ]);
    expect(whole.verdict).toBe('does-not-conform');
    expect(whole.wire.latencies.count).toBe(3);
    expect(whole.command).toBe('seaworthy receiver u --seed 42');
  });

  test('conform together where neither does alone', () => {
    const parts = [part({ 't/a': 'passed' }), part({ 't/b': 'passed' })] as const;
    expect(parts.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive']);
    expect(mergeRuns(parts).verdict).toBe('conforms');
  });

  test('leave what another part is about to it: an expectation, and what is required', () => {
    const expectations = [{ id: 'A', reason: 'known' }];
    const leftOut = [{ id: 't/a2', requirements: ['A'], part: 2 }];
    const requirements = [{ ...rows[0]!, required: true as const }, rows[1]!];
    const first = part({ 't/a': 'passed' }, { expectations, leftOut, requirements });
    expect(first.expectations).toMatchObject([{ id: 'A', outcome: 'elsewhere' }]);
    const undecided = part({ 't/a': 'inconclusive' }, { expectations, leftOut, requirements });
    expect([first, undecided].map((one) => [unmetExpectations(one), unobservedRequired(one)])).toEqual([
      [[], []],
      [[], []],
    ]);
    const second = part({ 't/a2': 'inconclusive' }, { expectations, requirements, leftOut: [] });
    const whole = mergeRuns([undecided, second]);
    expect(whole.expectations).toMatchObject([{ id: 'A', outcome: 'not-tested' }]);
    expect(unobservedRequired(whole).map(({ id }) => id)).toEqual(['A']);
  });

  test('are incomplete where one is, with what was under way there and not brought to an end elsewhere', () => {
    const killed = summarise([
      started({ checks: [check('t/a', 'a', ['A']), check('t/b', 'b', ['B'])], requirements: rows }),
      checkStarted('t/a'),
      checkStarted('t/b'),
    ]);
    expect(killed.pending).toEqual(['t/a', 't/b']);
    const whole = mergeRuns([killed, part({ 't/b': 'passed' })]);
    expect(whole).toMatchObject({ ended: false, pending: ['t/a'], verdict: 'inconclusive', run: { complete: false } });
    expect(whole.checks.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['t/a', 'inconclusive'],
      ['t/b', 'passed'],
    ]);
  });

  test('share expectations, which stand as the whole run shows', () => {
    const expectations = [{ id: 'B', reason: 'known' }];
    const whole = mergeRuns([part({ 't/a': 'passed' }, { expectations }), part({ 't/b': 'failed' }, { expectations })]);
    expect(whole.expectations).toEqual([{ id: 'B', reason: 'known', outcome: 'fails' }]);
  });

  test('leave out of the whole what no part was given', () => {
    const expectations = ['t/b', 't/c'].map((id) => ({ id, reason: 'known' }));
    const leftOut = (...ids: readonly string[]) => ids.map((id) => ({ id, requirements: [] }));
    const whole = mergeRuns([
      part({ 't/a': 'passed' }, { expectations, leftOut: leftOut('t/b', 't/c') }),
      part({ 't/b': 'failed' }, { expectations, leftOut: leftOut('t/a', 't/c') }),
    ]);
    expect(whole.expectations?.map(({ outcome }) => outcome)).toEqual(['fails', 'left-out']);
    expect(whole.leftOut).toEqual(leftOut('t/c'));
  });

  test('that saw other figures of the same are kept apart', () => {
    const saw = (id: string, ...values: readonly string[]): RunSummary => {
      const { run, ...first } = started();
      const observed = values.map(
        (value) => ({ type: 'observed', ms: 1, gap: 'GAP-17', value, evidence: 'timed' }) as const,
      );
      return summarise([{ ...first, run: { ...run, id } }, ...observed, finished()]);
    };
    const { observations } = mergeRuns([
      saw('one', 'the slowest took 85 ms', 'a text is taken'),
      saw('two', 'the slowest took 187 ms', 'a text is taken', 'a list of 3 is taken', 'a list of 4 is taken'),
    ]);
    expect(observations.map(({ value, evidence }) => `${value} (${evidence})`)).toEqual([
      'the slowest took 85 ms (timed; in the part one)',
      'a text is taken (timed)',
      'the slowest took 187 ms (timed; in the part two)',
      'a list of 3 is taken (timed)',
      'a list of 4 is taken (timed)',
    ]);
  });

  test('a single one is left as it is', () => {
    const whole = summarise(failingRun());
    expect(mergeRuns([whole])).toBe(whole);
  });

  test.each([
    ['passed', 'not-observable', 'passed'],
    ['inconclusive', 'failed', 'failed'],
    ['inconclusive', 'not-observable', 'inconclusive'],
    ['not-observable', 'inconclusive', 'inconclusive'],
    ['passed', 'passed', 'passed'],
  ] as const)('of a check that %s and %s, %s stays', (one, other, stays) => {
    const parts = [part({ 't/a': one }), part({ 't/a': other })] as const;
    expect(shardDifferences(...parts)).toEqual([]);
    expect(mergeRuns(parts).checks.map(({ outcome }) => outcome)).toEqual([stays]);
  });
});

describe('runs are no parts of one', () => {
  const { contract, kit, target, assumptions } = started();
  const expected = [{ id: 'A', reason: 'known' }];
  test.each<[string, Partial<RunStarted>, Partial<RunStarted>, string]>([
    ['other contracts', {}, { contract: { ...contract, version: '9' } }, 'the contract differs'],
    ['other kits', {}, { kit: { ...kit, version: '9' } }, 'the version of the kit differs'],
    ['other targets', {}, { target: { ...target, address: 'http://other/' } }, 'the target differs'],
    ['other seeds', {}, { run: { ...run, seed: 43 } }, 'the seed differs: 42, and 43'],
    ['other intensities', {}, { run: { ...run, intensity: 'quick' } }, 'the intensity differs: standard, and quick'],
    ['--strict', {}, { run: { ...run, strict: true } }, '--strict differs: off, and on'],
    ['assumptions', {}, { assumptions: assumptions.slice(1) }, 'the assumption signature.scheme differs'],
    [
      'expectations',
      { expectations: expected },
      { expectations: [{ id: 'A', reason: 'other' }] },
      'what is expected of A differs',
    ],
    ['a search', {}, { search: { untilFailure: false, feedback: true } }, 'a search is a run of its own'],
  ])('with %s', (_, one, other, says) => {
    expect(shardDifferences(part({ 't/a': 'passed' }, one), part({ 't/b': 'passed' }, other))).toEqual([
      expect.stringContaining(says),
    ]);
  });

  test.each([
    ['passed', 'failed'],
    ['failed', 'warned'],
    ['errored', 'passed'],
  ] as const)('where a check %s in one and %s in the other', (one, other) => {
    expect(shardDifferences(part({ 't/a': one }), part({ 't/a': other }))).toEqual([
      `the check t/a ${one} in one and ${other} in the other`,
    ]);
  });
});
