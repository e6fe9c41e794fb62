import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { compareRuns } from '../../reports/model/compareRuns.ts';
import type { ReportDocument } from '../../reports/model/document.ts';
import { formatsFor, renderDocument } from '../../reports/formats/index.ts';
import { matrixRows } from '../../reports/model/matrixRows.ts';
import { regressions } from '../../reports/model/regressions.ts';
import { summarise } from '../../reports/model/summary.ts';
import { arbitraryRun } from './arbitraryRun.ts';
import { check, checkFinished, failingRun, finished, started } from './madeUpRun.ts';
import { commandsOf } from './readers/github.ts';
import { validJson } from './readers/json.ts';
import { kindOf, suitesOf } from './readers/junit.ts';
import { markdownTokens, tablesOf } from './readers/markdown.ts';
import { factsOfRun, validSarif } from './readers/sarif.ts';
import { factsOf } from './readers/facts.ts';

const arbitraryComparison = fc
  .tuple(arbitraryRun, arbitraryRun)
  .map(([before, after]) => compareRuns(summarise(before), summarise(after)));

const summaries = fc.array(arbitraryRun.map(summarise), { minLength: 2, maxLength: 4 });

test('every format but the badge and the journal shows all kinds', () => {
  expect(formatsFor('comparison')).toEqual(['terminal', 'json', 'html', 'junit', 'markdown', 'sarif', 'github']);
  expect(formatsFor('matrix')).toEqual([...formatsFor('comparison'), 'badge']);
  expect(formatsFor('run')).toEqual(formatsFor('matrix'));
});

test('a comparison says the same in every format, whatever the runs', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryComparison, async (comparison) => {
      const document = { kind: 'comparison', comparison } as const;
      const changes = comparison.requirements.map(({ id, change }) => `${id} ${change}`);
      const broke = regressions(comparison).map(({ id }) => id);
      expect(comparison.regressed).toBe(broke.length > 0);
      const json = validJson(await renderDocument('json', document)) as typeof comparison;
      expect(json.requirements.map(({ id, change }) => `${id} ${change}`)).toEqual(changes);
      const tables = tablesOf(markdownTokens(await renderDocument('markdown', document)));
      const rows = tables.find(([head]) => head?.[0] === 'Requirement')?.slice(1) ?? [];
      expect(rows.map((cells) => `${cells[0]} ${cells.at(-1)}`)).toEqual(changes);
      const [suite] = await suitesOf(await renderDocument('junit', document));
      const failed = suite?.testcase?.filter((testcase) => kindOf(testcase) === 'failure') ?? [];
      expect(failed.map(({ name }) => name)).toEqual(broke);
      const errors = commandsOf(await renderDocument('github', document)).filter(({ name }) => name === 'error');
      expect(errors.map(({ properties: { title } }) => title)).toEqual(broke.map((id) => `Broke: ${id}`));
      const { properties } = validSarif(await renderDocument('sarif', document)).runs[0] ?? {};
      expect(properties?.['regressed']).toBe(comparison.regressed);
      const reported = (await renderDocument('terminal', document)).replaceAll(/\s+/g, ' ');
      expect(reported).toContain(comparison.regressed ? '(exit code 1) ' : 'No regression (exit code 0)');
    }),
    { numRuns: 60 },
  );
});

test('several targets say the same in every format, whatever the runs', async () => {
  await fc.assert(
    fc.asyncProperty(summaries, async (several) => {
      const document = { kind: 'matrix', summaries: several } as const;
      const rows = matrixRows(several).map(
        ({ id, outcomes }) => `${id} ${outcomes.map((one) => one ?? 'none').join(' ')}`,
      );
      const { requirements, reports } = validJson(await renderDocument('json', document)) as {
        readonly requirements: readonly { readonly id: string; readonly outcomes: readonly (string | null)[] }[];
        readonly reports: readonly { readonly verdict: string }[];
      };
      expect(requirements.map(({ id, outcomes }) => `${id} ${outcomes.map((one) => one ?? 'none').join(' ')}`)).toEqual(
        rows,
      );
      expect(reports.map(({ verdict }) => verdict)).toEqual(several.map(({ verdict }) => verdict));
      const [table = []] = tablesOf(markdownTokens(await renderDocument('markdown', document)));
      const cells = table
        .slice(1)
        .map(([id, , ...outcomes]) => `${id} ${outcomes.map((one) => one.split(' ')[1] ?? 'none').join(' ')}`);
      expect(cells).toEqual(rows);
      const { runs } = validSarif(await renderDocument('sarif', document));
      expect(runs.map((run) => factsOfRun(run).failing)).toEqual(several.map((summary) => factsOf(summary).failing));
      const suites = await suitesOf(await renderDocument('junit', document));
      const codes = suites.flatMap(({ properties = [] }) => properties.filter(({ name }) => name === 'exitCode'));
      expect(codes.map(({ value }) => Number(value))).toEqual(several.map((summary) => factsOf(summary).exitCode));
      expect(commandsOf(await renderDocument('github', document))).toHaveLength(several.length);
    }),
    { numRuns: 40 },
  );
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
    RCV-5 SHOULD   ✗  ✓
    IDM-2 MUST     ✗  ✓
    IDM-3 MUST     ?  ✓
    VRF-2 MUST     ?  ✓
    VRF-3 MUST     ✗  ✓
    SRC-1 MAY      -  -

    ✓ holds   ✗ broken   ? inconclusive   - not-observed

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
