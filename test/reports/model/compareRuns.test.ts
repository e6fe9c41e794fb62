import { describe, expect, test } from 'vitest';

import { type Change, compareRuns } from '../../../reports/model/compareRuns.ts';
import type { CheckFinished, RunStarted } from '../../../reports/model/events.ts';
import { renderDocument } from '../../../reports/formats/index.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { check, checkFinished, finished, requirement, started } from '../madeUpRun.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

type Outcome = CheckFinished['outcome'];
type Level = 'must' | 'should' | 'may';

/** A run of one check over one requirement; without an outcome it knows neither. */
function runWith(outcome: Outcome | undefined, level: Level = 'must', parts: Partial<RunStarted> = {}): RunSummary {
  const checks = outcome === undefined ? [] : [check('t/a', 'a', ['A'], level)];
  const requirements = outcome === undefined ? [] : [requirement('A', '1', level, 'a')];
  const results = outcome === undefined ? [] : [checkFinished('t/a', outcome)];
  return summarise([started({ checks, requirements, ...parts }), ...results, finished()]);
}

describe('a requirement and its check', () => {
  test.each<[Outcome | undefined, Outcome | undefined, Change, boolean]>([
    ['passed', 'failed', 'broke', true],
    ['not-observable', 'failed', 'broke', true],
    ['inconclusive', 'failed', 'broke', true],
    ['failed', 'passed', 'fixed', false],
    ['not-observable', 'passed', 'newly-observed', false],
    ['inconclusive', 'passed', 'newly-observed', false],
    ['passed', 'not-observable', 'no-longer-observed', false],
    ['failed', 'inconclusive', 'no-longer-observed', false],
    ['passed', 'passed', 'same', false],
    ['failed', 'failed', 'same', false],
    ['not-observable', 'inconclusive', 'same', false],
    [undefined, 'passed', 'added', false],
    ['failed', undefined, 'removed', false],
  ])('from %s to %s: %s', (before, after, change, regressed) => {
    const comparison = compareRuns(runWith(before), runWith(after));
    expect(comparison.requirements.map((row) => row.change)).toEqual([change]);
    expect(comparison.checks).toEqual([{ id: 't/a', title: 'a', before, after, change }]);
    expect(comparison.regressed).toBe(regressed);
  });
});

describe('a regression', () => {
  const { run } = started();
  test('is what counts for the exit code: a SHOULD only under --strict', () => {
    const regressed = (strict: boolean): boolean =>
      compareRuns(runWith('passed', 'should'), runWith('warned', 'should', { run: { ...run, strict } })).regressed;
    expect([regressed(false), regressed(true)]).toEqual([false, true]);
  });

  test('is not what was expected to fail', () => {
    const after = runWith('failed', 'must', { expectations: [{ id: 'A', reason: 'known' }] });
    expect(compareRuns(runWith('passed'), after).regressed).toBe(false);
  });
});

test('what a reader should know before is reported', () => {
  const { run, contract, kit, target, assumptions } = started();
  const before = runWith('passed');
  const after = summarise([
    started({
      at: '2026-11-19T00:00:00.000Z',
      contract: { ...contract, version: '9' },
      kit: { ...kit, version: '9' },
      target: { ...target, address: 'http://other/' },
      run: { ...run, seed: 43, intensity: 'quick', strict: true },
      assumptions: assumptions.slice(1),
    }),
  ]);
  expect(compareRuns(before, before).cautions).toEqual([]);
  expect(compareRuns(before, after).cautions.join('\n')).toMatchInlineSnapshot(`
    "The contracts differ (Shipment Tracking Service 0.2.0, and then Shipment Tracking Service 9): a requirement may have changed.
    The versions of the kit differ (seaworthy 0.1.0, and then seaworthy 9): its checks may have changed.
    The addresses differ (http://127.0.0.1:4711/hooks, and then http://other/): these may be different targets.
    The seeds differ (42, and then 43): a failure may be new only because other cases were tried.
    The intensities differ (standard, and then quick): not as many cases were tried in both.
    The values of --strict differ (off, and then on): the later one decides what counts.
    The assumptions differ: signature.scheme.
    The later run was killed: what it had not seen by then is not observed.
    The later run ran 0 of the 1 check of the earlier one: what it left out is not observed.
    The earlier run ran 0 of the 7 checks of the later one: what it left out may have been the same then.
    The run that was named first began after the other one: the earlier one comes first."
  `);
});

test('checks that only one of the runs played are reported, and a run that left them out is a caution', async () => {
  const played = (...ids: readonly string[]): RunSummary =>
    summarise([
      started({ checks: ids.map((id) => check(id, id, ['A'])), requirements: [requirement('A', '1', 'must', 'a')] }),
      ...ids.map((id) => checkFinished(id, 'passed')),
      finished(),
    ]);
  const [whole, part] = [played('t/a', 't/b', 't/c'), played('t/b')];
  const { cautions } = compareRuns(whole, part);
  expect(cautions).toEqual([
    'The later run ran 1 of the 3 checks of the earlier one: what it left out is not observed.',
  ]);
  expect(compareRuns(part, whole).cautions).toEqual([
    'The earlier run ran 1 of the 3 checks of the later one: what it left out may have been the same then.',
  ]);
  expect(compareRuns(played('t/a'), played('t/b')).cautions).toHaveLength(2);
  const document = { kind: 'comparison', comparison: compareRuns(whole, part) } as const;
  expect(await renderDocument('terminal', document)).toContain('t/a: passed → not run');
  expect(await renderDocument('markdown', document)).toContain('| `t/a` | passed | not run |');
});

test('a requirement that one of the runs did not know was not run there, in every format', async () => {
  const document = { kind: 'comparison', comparison: compareRuns(runWith('passed'), runWith(undefined)) } as const;
  for (const format of ['terminal', 'markdown', 'github', 'junit'] as const) {
    expect(await renderDocument(format, document)).toContain('not run');
  }
});
