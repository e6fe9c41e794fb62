import { describe, expect, test } from 'vitest';

import { compareRuns } from '../../reports/compareRuns.ts';
import type { Change } from '../../reports/comparison.ts';
import type { CheckFinished, RunStarted } from '../../reports/events.ts';
import { summarise } from '../../reports/summary.ts';
import type { RunSummary } from '../../reports/summary.ts';
import { check, checkFinished, delivered, finished, requirement, started } from './madeUpRun.ts';

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
    ['failed', 'passed', 'mended', false],
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

describe('answers', () => {
  function answering(times: readonly number[]): RunSummary {
    const deliveries = times.map((ms) => delivered({ answer: { kind: 'answered', status: 200, ms } }));
    return summarise([started(), ...deliveries, finished()]);
  }
  const spread = (count: number, from: number, to: number): readonly number[] =>
    Array.from({ length: count }, (_, index) => from + ((to - from) * index) / count);

  test('that became slower are told, with both figures', () => {
    const { slower } = compareRuns(answering(spread(1000, 5, 10)), answering(spread(1000, 10, 20)));
    expect(slower.map(({ what, before, after }) => [what, Math.round(before), Math.round(after)])).toEqual([
      ['half of the answers came within', 8, 15],
      ['95% of the answers came within', 10, 20],
      ['99% of the answers came within', 10, 20],
    ]);
  });

  test.each([
    ['a little slower', spread(1000, 5, 10), spread(1000, 5.5, 11)],
    ['faster', spread(1000, 10, 20), spread(1000, 5, 10)],
    ['slower by less than a millisecond', spread(1000, 0.1, 0.2), spread(1000, 0.2, 0.4)],
    ['too few to tell', spread(50, 5, 10), spread(50, 50, 100)],
    ['slower in the one that is the slowest of a hundred', spread(100, 5, 10), [...spread(99, 5, 10), 5000]],
  ])('that are %s are not', (_, before, after) => {
    expect(compareRuns(answering(before), answering(after)).slower).toEqual([]);
  });
});

test('what a reader should know before is told', () => {
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
    The run that was named first began after the other one: the earlier one comes first."
  `);
});
