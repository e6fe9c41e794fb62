import { describe, expect, test } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { expectationText } from '../../../reports/text/failureText.ts';
import { expectationsOf } from '../../../reports/model/expectations.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { verdictSentence } from '../../../reports/model/verdict.ts';
import type { CheckFinished, RunEvent, Expectation } from '../../../reports/model/events.ts';
import { check, checkFinished, counterexample, failingRun, finished, requirement, started } from '../madeUpRun.ts';
import { shown } from '../shown.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

const rows = [requirement('A', '1', 'must', 'a'), requirement('B', '2', 'must', 'b')];
const checks = [check('t/a', 'a', ['A']), check('t/ab', 'ab', ['A', 'B']), check('t/b', 'b', ['B'])];

type Outcomes = Readonly<Record<string, CheckFinished['outcome'] | readonly string[]>>;

/** A run that began on 2026-11-20; a list says which requirements a failure breaks, and what is not named passed. */
function runWith(
  expectations: readonly Omit<Expectation, 'reason'>[],
  outcomes: Outcomes,
  ...end: readonly RunEvent[]
): RunSummary {
  const results = checks.map(({ id }) => {
    const outcome = outcomes[id] ?? 'passed';
    if (typeof outcome === 'string') return checkFinished(id, outcome);
    return checkFinished(id, 'failed', { counterexample: counterexample({ requirements: outcome }) });
  });
  const known = expectations.map((entry) => ({ ...entry, reason: 'known' }));
  return summarise([
    started({ checks, requirements: rows, expectations: known }),
    ...results,
    ...(end.length === 0 ? [finished()] : end),
  ]);
}

describe('an entry', () => {
  test.each([
    ['fails', { id: 'A' }, { 't/a': ['A'] }],
    ['fails', { id: 't/a' }, { 't/a': ['A'] }],
    ['fails', { id: 't/a' }, { 't/a': 'warned' as const }],
    ['passes', { id: 'A' }, {}],
    ['passes', { id: 't/a' }, {}],
    ['not-tested', { id: 'B' }, { 't/ab': ['A'] }],
    ['not-tested', { id: 't/a' }, { 't/a': 'not-observable' as const }],
    ['not-tested', { id: 't/a' }, { 't/a': 'inconclusive' as const }],
    ['expired', { id: 'A', expires: '2026-11-19' }, { 't/a': ['A'] }],
    ['fails', { id: 'A', expires: '2026-11-20' }, { 't/a': ['A'] }],
    ['unknown', { id: 'C' }, {}],
    ['unknown', { id: 'C', expires: '2026-01-01' }, {}],
  ] as const)('%s: %o where %o', (outcome, entry, outcomes) => {
    const summary = runWith([entry], outcomes as Outcomes);
    expect(summary.expectations).toEqual([{ ...entry, reason: 'known', outcome }]);
    const others = summary.requirements.some((row) => row.outcome === 'broken') && outcome !== 'fails';
    expect(exitCode(summary)).toBe(outcome === 'fails' && !others ? 0 : 1);
  });
});

describe('an entry that names what --only or --skip left out', () => {
  const stands = (id: string, parts: Partial<Expectation> = {}) =>
    summarise([
      started({
        checks: [check('t/a', 'a', ['A'])],
        requirements: rows,
        expectations: [{ id, reason: 'known', ...parts }],
        leftOut: [
          { id: 't/ab', requirements: ['A', 'B'] },
          { id: 't/b', requirements: ['B'] },
        ],
      }),
      checkFinished('t/a', 'passed'),
      finished(),
    ]);

  test.each([
    ['t/b', 'left-out'],
    ['B', 'left-out'],
    ['A', 'passes'],
    ['t/a', 'passes'],
    ['C', 'unknown'],
  ])('%s: %s', (id, outcome) => {
    expect(stands(id).expectations?.map((entry) => entry.outcome)).toEqual([outcome]);
    expect(exitCode(stands(id))).toBe(1);
  });

  test('says that, and not that its id is wrong', async () => {
    expect(stands('B', { expires: '2026-11-19' }).expectations?.[0]?.outcome).toBe('expired');
    const [entry] = stands('B').expectations ?? [];
    expect(entry && expectationText(entry)).toBe(
      '--only or --skip left it out of this run, so nothing shows that it fails: run its checks too, or give this run a list without the entry. It was expected to fail: known',
    );
  });
});

describe('a failure', () => {
  const expected: readonly (readonly [string, readonly string[], Outcomes, number])[] = [
    ['that a requirement names', ['A'], { 't/a': ['A'], 't/ab': ['A'] }, 0],
    ['that all its checks name', ['t/a', 't/ab'], { 't/a': ['A'], 't/ab': ['A'] }, 0],
    ['that only one of its checks names', ['t/a'], { 't/a': ['A'], 't/ab': ['A'] }, 1],
    ['that breaks something else as well', ['A'], { 't/ab': ['A', 'B'] }, 1],
    ['that a check names, whatever it breaks', ['t/ab'], { 't/ab': ['A', 'B'] }, 0],
    ['beside one that is not expected', ['A'], { 't/a': ['A'], 't/b': ['B'] }, 1],
  ];
  test.each(expected)('%s', (_, ids, outcomes, code) => {
    const summary = runWith(
      ids.map((id) => ({ id })),
      outcomes,
    );
    expect(summary.verdict).toBe('does-not-conform');
    expect(exitCode(summary)).toBe(code);
    const unexpected = summary.checks.filter(
      (each) => each.outcome === 'failed' && expectationsOf(each, summary).length === 0,
    );
    expect(unexpected.length > 0).toBe(code === 1);
  });

  test('that was expected leaves the verdict as it is, and the sentence says so', () => {
    expect(verdictSentence(runWith([{ id: 'A' }], { 't/a': ['A'] }))).toBe(
      'does not conform: 2 of 2 MUSTs observed, broken: A (as expected)',
    );
    expect(verdictSentence(runWith([{ id: 'A' }, { id: 'C' }], { 't/ab': ['A', 'B'] }))).toBe(
      'does not conform: 2 of 2 MUSTs observed, broken: A, B (A was expected); 1 expectation does not hold',
    );
  });
});

test('what a search has not found says nothing against its expectation, but an entry that names nothing does', () => {
  const search = { untilFailure: false, feedback: true, time: 1000 };
  const figures = { cases: 9, steps: 9, distinct: 1, corpus: 1, failures: 0, flaky: 0, memory: 1 };
  const searched = (id: string): RunSummary => {
    const progressed: RunEvent = { type: 'fuzz.progressed', ms: 1, ...figures };
    const results = checks.map((each) => checkFinished(each.id, 'passed'));
    const first = started({ checks, requirements: rows, search, expectations: [{ id, reason: 'known' }] });
    return summarise([first, progressed, ...results, finished()]);
  };
  expect(searched('A').expectations?.map(({ outcome }) => outcome)).toEqual(['not-tested']);
  expect([exitCode(searched('A')), exitCode(searched('C'))]).toEqual([0, 1]);
});

test('what a run that broke off has not tested says nothing against its expectation', () => {
  const lost: RunEvent = { type: 'target.lost', ms: 5, reason: 'gone', advice: 'start it' };
  const silent: Outcomes = { 't/a': 'not-observable', 't/ab': 'not-observable', 't/b': 'not-observable' };
  const summary = runWith([{ id: 'A' }], silent, lost, finished({ complete: false }));
  expect(exitCode(summary)).toBe(3);
  expect(verdictSentence(summary)).not.toContain('expectation');
});

test('the terminal shows an expected failure in short, with its reason and link, and what does not hold', async () => {
  const [first, ...rest] = failingRun();
  if (first?.type !== 'run.started') throw new Error('no run');
  const expectations = [
    { id: 'IDM-2', reason: 'two databases', link: 'https://example.test/7', expires: '2027-01-31' },
    { id: 'RCV-1', reason: 'an old bug' },
  ];
  const text = await shown([{ ...first, expectations }, ...rest]);
  expect(text).toContain('failure 1 of 1');
  expect(text.slice(text.indexOf('Expected failures'), text.indexOf('Seen where'))).toMatchInlineSnapshot(`
    "Expected failures

    ~ fails as expected   ✗ does not hold   ? not seen

    ~ IDM-2
      It fails as expected, until 2027-01-31: two databases (https://example.test/7)
        receiver/idempotency/redelivered-once-more: A notification delivered 13
        times took effect twice.
    ✗ RCV-1
      It holds now: remove the entry. It was expected to fail: an old bug

    "
  `);
});
