import { describe, expect, test } from 'vitest';

import { compareRuns } from '../../reports/model/compareRuns.ts';
import type { ReportDocument } from '../../reports/model/document.ts';
import { formatsFor, renderDocument } from '../../reports/formats/index.ts';
import { summarise } from '../../reports/model/summary.ts';
import { check, checkFinished, failingRun, finished, started } from './madeUpRun.ts';
import { validSarif } from './readers/sarif.ts';

test('a format that cannot show a document is refused with those that can', async () => {
  const comparison = compareRuns(summarise(failingRun()), summarise(failingRun()));
  await expect(renderDocument('badge', { kind: 'comparison', comparison })).rejects.toThrow(
    `badge cannot show a comparison of two runs. Valid is ${formatsFor('comparison').join(', ')}. Choose one of them.`,
  );
  expect(formatsFor('comparison')).not.toContain('badge');
  expect(formatsFor('run')).not.toContain('journal');
});

describe('two runs of which the later one broke something', () => {
  const one = (outcome: 'passed' | 'failed') =>
    summarise([started({ checks: [check('t/a', 'a', ['VRF-3'])] }), checkFinished('t/a', outcome), finished()]);
  const document = (before: 'passed' | 'failed', after: 'passed' | 'failed'): ReportDocument => {
    return { kind: 'comparison', comparison: compareRuns(one(before), one(after)) };
  };

  test.each([
    ['passed', 'failed', ['new']],
    ['failed', 'failed', ['unchanged']],
    ['failed', 'passed', ['absent']],
    ['passed', 'passed', []],
  ] as const)('SARIF knows the state of a result: %s, then %s', async (before, after, states) => {
    const { runs } = validSarif(await renderDocument('sarif', document(before, after)));
    expect(runs[0]?.results?.map(({ baselineState }) => baselineState)).toEqual(states);
  });

  test('in a terminal', async () => {
    expect(await renderDocument('terminal', document('passed', 'failed'))).toMatchInlineSnapshot(`
      "before    run-1, 2026-11-20T19:00:00.000Z, http://127.0.0.1:4711/hooks
                Inconclusive: 1 of 5 MUSTs observed, none broken (exit code 0)
      after     run-1, 2026-11-20T19:00:00.000Z, http://127.0.0.1:4711/hooks
                Does not conform: 1 of 5 MUSTs observed, broken: VRF-3 (exit code 1)

      Broke

        VRF-3 MUST: holds → broken. A body changed after it was signed is refused,
        even where it parses to the same value.

      Checks that changed

        t/a: passed → failed

      A regression: 1 requirement that counts broke: VRF-3 (exit code 1)
      "
    `);
  });
});

test('several targets in a terminal', async () => {
  const run = failingRun();
  const other = run.map((event) =>
    event.type === 'check.finished' ? { ...event, outcome: 'passed' as const } : event,
  );
  const several = [summarise(run), summarise(other)];
  expect(await renderDocument('terminal', { kind: 'matrix', summaries: several })).toMatchInlineSnapshot(`
    "Requirements

                   1  2
    RCV-1 MUST     ✓  ✓
    RCV-4 SHOULD   -  ✓
    RCV-5 SHOULD   !  ✓
    IDM-2 MUST     ✗  ✓
    IDM-3 MUST     ?  ✓
    VRF-2 MUST     ?  ✓
    VRF-3 MUST     ✗  ✓
    SRC-1 MAY      -  -

    ✓ holds   ✗ broken   ? inconclusive   - not-observed   ! broken, and does not count

    1.  http://127.0.0.1:4711/hooks: Does not conform: 3 of 5 MUSTs observed,
        broken: IDM-2, VRF-3 (exit code 1)
    2.  http://127.0.0.1:4711/hooks: Conforms: 5 of 5 MUSTs observed, none broken
        (exit code 0)
    "
  `);
});

test('a result of SARIF keeps its fingerprint from run to run, and another failure has another', async () => {
  const prints = async (seed: number) => {
    const run = failingRun().map((event) =>
      event.type === 'run.started' ? { ...event, run: { ...event.run, id: `run-${seed}`, seed } } : event,
    );
    const { runs } = validSarif(await renderDocument('sarif', { kind: 'run', summary: summarise(run) }));
    return runs[0]?.results?.map(({ partialFingerprints }) => partialFingerprints?.['seaworthy/v1']) ?? [];
  };
  const first = await prints(1);
  expect(first).toHaveLength(3);
  expect(new Set(first).size).toBe(3);
  expect(await prints(2)).toEqual(first);
});
