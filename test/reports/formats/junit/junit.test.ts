import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import { type TestCase, type TestSuites, parse as junit2json } from 'junit2json';
import { parse as parseResults } from 'test-results-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunEvent } from '../../../../reports/model/events.ts';
import { exitCode } from '../../../../reports/model/exitCode.ts';
import { junitReport } from '../../../../reports/formats/junit/index.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { visible } from '../../../../reports/text/visible.ts';
import { generatedRun } from '../../generatedRun.ts';
import { check, checkFinished, counterexample, failingRun, finished, started } from '../../madeUpRun.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-junit-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function read(xml: string): Promise<TestSuites> {
  expect(XMLValidator.validate(xml)).toBe(true);
  return (await junit2json(xml)) as TestSuites;
}

function cases({ testsuite = [] }: TestSuites): readonly TestCase[] {
  return testsuite.flatMap(({ testcase = [] }) => testcase);
}

function kindOf({ failure, error, skipped }: TestCase): string {
  return failure ? 'failure' : error ? 'error' : skipped ? 'skipped' : 'passed';
}

function strictly(run: readonly RunEvent[], strict: boolean): readonly RunEvent[] {
  return run.map((event) => (event.type === 'run.started' ? { ...event, run: { ...event.run, strict } } : event));
}

describe('read back with junit2json', () => {
  test('every check is a testcase of its kind', async () => {
    const report = await read(junitReport(summarise(failingRun())));
    expect(cases(report).map((testcase) => `${kindOf(testcase)} ${testcase.name}`)).toEqual([
      'passed receiver/acceptance/every-event',
      'passed receiver/acceptance/not-json',
      'failure receiver/idempotency/redelivered-once-more',
      'skipped receiver/idempotency/together',
      'passed receiver/signature/missing',
      'failure receiver/signature/changed-after-signing',
      'skipped receiver/timing/answers-in-time',
    ]);
    expect(report).toMatchObject({ tests: 7, failures: 2, errors: 0, time: 8.4 });
  });

  test('a failure says all that fixes it', async () => {
    const report = await read(junitReport(summarise(failingRun())));
    const [failure] = cases(report).find(({ name }) => name?.endsWith('changed-after-signing'))?.failure ?? [];
    expect(failure).toMatchInlineSnapshot(`
      {
        "inner": "A notification whose body was changed after signing was answered 200.
      VRF-3 (MUST, section 5.2): A body changed after it was signed is refused, even where it parses to the same value.
      why: A signature that does not cover each byte fits another body.
      expected: a refusal: any status but 200, 201, 202, 204
      actual: 200
      hint: Verify the bytes as they arrived, before a JSON parser touches them. In Express: express.raw() on this route.
      repeat: seaworthy receiver http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42 --only receiver/signature/changed-after-signing
      curl -sS -i --http1.1 -X POST 'http://127.0.0.1:4711/hooks' \\
        -H 'Content-Type: application/json' \\
        --data-raw '{ "data":{}}' \\
        -w '\\n'",
        "message": "A notification whose body was changed after signing was answered 200.",
        "type": "VRF-3",
      }
    `);
  });

  test('a warning is seen, and is a failure under --strict', async () => {
    const warned = async (strict: boolean): Promise<TestCase | undefined> => {
      const report = await read(junitReport(summarise(strictly(failingRun(), strict))));
      return cases(report).find(({ name }) => name === 'receiver/acceptance/not-json');
    };
    expect((await warned(false))?.['system-out']?.[0]).toContain(
      'warned: A signed body that is not JSON was answered 200.',
    );
    expect(kindOf((await warned(true)) as TestCase)).toBe('failure');
  });

  test('a skipped check says why', async () => {
    const report = await read(junitReport(summarise(failingRun())));
    expect(cases(report).flatMap(({ skipped = [] }) => skipped.map(({ message }) => message))).toEqual([
      'inconclusive: the effects were still changing when the wait was over; give --settle a longer time',
      'not-observable: no probe: --probe <url or command> makes it observable',
    ]);
  });

  test('what the target sent does not become markup, nor get lost', async () => {
    const hostile = 'a\0\u001b[31m\ud83d]]><failure/>&lt;\u202e"\ufffe<';
    const found = counterexample({ summary: hostile, actual: hostile });
    const run = [
      started({ checks: [check('t/a', 'a', ['VRF-3'])] }),
      checkFinished('t/a', 'failed', { counterexample: found }),
      finished(),
    ];
    const [failure] = cases(await read(junitReport(summarise(run)))).flatMap((testcase) => testcase.failure ?? []);
    expect(failure?.message).toBe(visible(hostile));
    expect(failure?.inner).toContain(`actual: ${visible(hostile)}`);
  });
});

test('test-results-parser counts the same', async () => {
  const file = join(directory, 'junit.xml');
  await writeFile(file, junitReport(summarise(failingRun())));
  const result = parseResults({ type: 'junit', files: [file] });
  expect(result).toMatchObject({ status: 'FAIL', failed: 2, errors: 0, skipped: 2, passed: 3 });
  const byStatus = Map.groupBy(
    result.suites.flatMap((suite) => suite.cases),
    ({ status }) => status,
  );
  expect(byStatus.get('FAIL')?.map(({ name }) => name)).toEqual([
    'receiver/idempotency/redelivered-once-more',
    'receiver/signature/changed-after-signing',
  ]);
});

describe('a run that broke off is no success', () => {
  const passed = [started({ checks: [check('t/a', 'a', ['VRF-3'])] }), checkFinished('t/a', 'passed')];
  test.each<[string, readonly RunEvent[], string]>([
    ['interrupted', [...passed, finished({ complete: false, interrupted: true })], 'the run was interrupted'],
    ['killed', passed, 'the run has no end'],
    [
      'target lost',
      [...passed, { type: 'target.lost', ms: 1, reason: 'gone', advice: 'start it' }, finished()],
      'the target could not be tested to the end',
    ],
    [
      'a fault of the kit',
      [...passed, { type: 'kit.errored', ms: 1, where: 'engine', message: 'oh' }, finished()],
      'a fault of seaworthy itself, in engine',
    ],
  ])('%s', async (_, run, title) => {
    const report = await read(junitReport(summarise(run)));
    expect(report).toMatchObject({ tests: 2, errors: 1 });
    expect(cases(report).map((testcase) => `${kindOf(testcase)} ${testcase.name}`)).toEqual([
      'passed t/a',
      `error ${title}`,
    ]);
  });
});

test('whatever the run, both readers and the exit code agree about it', async () => {
  await fc.assert(
    fc.asyncProperty(generatedRun, async (run) => {
      const summary = summarise(run);
      const xml = junitReport(summary);
      const report = await read(xml);
      const found = cases(report);
      const count = (kind: string): number => found.filter((testcase) => kindOf(testcase) === kind).length;
      expect(report).toMatchObject({ tests: found.length, failures: count('failure'), errors: count('error') });
      expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(summary.checks.map(({ id }) => id)));
      expect(count('skipped')).toBe(summary.summary.notObservable + summary.summary.inconclusive);
      const needed = { 0: undefined, 1: 'failure', 2: 'error', 3: undefined, 70: 'error', 130: 'error' }[
        exitCode(summary)
      ];
      expect(needed === undefined || count(needed) > 0).toBe(true);
    }),
    { numRuns: 200 },
  );
});
