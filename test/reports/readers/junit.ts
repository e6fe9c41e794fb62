import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { XMLValidator } from 'fast-xml-parser';
import { type TestCase, type TestSuite, type TestSuites, parse as junit2json } from 'junit2json';
import { parse as parseResults } from 'test-results-parser';
import { expect } from 'vitest';

import { leftOutOf, type ComparisonFacts, type Facts, type MatrixFacts } from './facts.ts';

/** A JUnit report as junit2json reads it. */
async function suitesOf(xml: string): Promise<readonly TestSuite[]> {
  expect(XMLValidator.validate(xml)).toBe(true);
  const { testsuite = [], ...totals } = (await junit2json(xml)) as TestSuites;
  const cases = testsuite.flatMap(({ testcase = [] }) => testcase);
  const count = (kind: string): number => cases.filter((testcase) => kindOf(testcase) === kind).length;
  expect(totals).toMatchObject({ tests: cases.length, failures: count('failure'), errors: count('error') });
  return testsuite;
}

function kindOf({ failure, error, skipped }: TestCase): 'failure' | 'error' | 'skipped' | 'passed' {
  return failure ? 'failure' : error ? 'error' : skipped ? 'skipped' : 'passed';
}

/** The facts of a JUnit report, in which two readers agree. */
export async function readJunit(xml: string): Promise<Partial<Facts>> {
  const suites = await suitesOf(xml);
  const cases = suites.flatMap(({ testcase = [] }) => testcase);
  await secondReader(xml, cases);
  const last = new Map(suites.at(-1)?.properties?.map(({ name = '', value = '' }) => [name, value]));
  const requirements = [...last].filter(([name]) => name.startsWith('requirement '));
  const checks = cases.filter(({ 'system-out': output }) => output?.[0]?.startsWith('outcome: '));
  for (const testcase of checks) expect(kindsOf[outcomeOf(testcase)]).toContain(kindOf(testcase));
  return {
    verdict: last.get('verdict') as Facts['verdict'],
    exitCode: Number(last.get('exitCode')),
    requirements: requirements.map(([name, value]) => `${name.slice('requirement '.length)} ${value}`),
    checks: checks.map((testcase) => `${testcase.name} ${outcomeOf(testcase)}`).toSorted(),
    leftOut: leftOutOf(last.get('leftOut')),
    problems: cases.filter(({ classname }) => classname === 'seaworthy/run').map(({ name = '' }) => name),
  };
}

/** The facts of two runs compared. */
export async function readJunitComparison(xml: string): Promise<Partial<ComparisonFacts>> {
  const [suite] = await suitesOf(xml);
  const failed = suite?.testcase?.filter((testcase) => kindOf(testcase) === 'failure') ?? [];
  const { value } = suite?.properties?.find(({ name }) => name === 'regressed') ?? {};
  return { regressed: value === 'true', broke: failed.map(({ name = '' }) => name) };
}

/** The facts of several targets. */
export async function readJunitMatrix(xml: string): Promise<Partial<MatrixFacts>> {
  const runs = (await suitesOf(xml)).filter(({ name = '' }) => name.endsWith(' seaworthy/run'));
  const values = (wanted: string): readonly string[] =>
    runs.map(({ properties = [] }) => properties.find(({ name }) => name === wanted)?.value ?? '');
  return {
    exitCodes: values('exitCode').map(Number),
    verdicts: values('verdict') as MatrixFacts['verdicts'],
  };
}

function outcomeOf({ 'system-out': output = [] }: TestCase): keyof typeof kindsOf {
  return (output[0]?.split('\n')[0] ?? '').slice('outcome: '.length) as keyof typeof kindsOf;
}

/** As what a check of each outcome may be reported; what was expected to fail is skipped. */
const kindsOf = {
  passed: ['passed'],
  failed: ['failure', 'skipped'],
  warned: ['passed', 'failure', 'skipped'],
  'not-observable': ['skipped'],
  inconclusive: ['skipped'],
  errored: ['error'],
} as const;

/** It reads files only. */
async function secondReader(xml: string, cases: readonly TestCase[]): Promise<void> {
  const file = join(tmpdir(), `seaworthy-junit-${randomUUID()}.xml`);
  await writeFile(file, xml);
  const { passed, failed, errors, skipped } = parseResults({ type: 'junit', files: [file] });
  await rm(file);
  const count = (kind: string): number => cases.filter((testcase) => kindOf(testcase) === kind).length;
  expect({ passed, failed, errors, skipped }).toEqual({
    passed: count('passed'),
    failed: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  });
}
