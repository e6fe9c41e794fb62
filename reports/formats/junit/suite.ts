import type { XmlElement } from './xml.ts';

/** A suite of a JUnit report. */
export interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly properties: Readonly<Record<string, string | number | boolean>>;
  /** When it began: ISO 8601. */
  readonly timestamp: string;
}

/** A testcase of a JUnit report, passed where it has no result. */
export interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly ms: number;
  readonly result?: TestResult;
  readonly output?: string;
}

/** What makes a testcase more than passed. */
export interface TestResult {
  readonly kind: 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly type?: string;
  readonly text?: string;
}

/** A whole report. @param ms - how long all of it took */
export function suitesElement(name: string, suites: readonly Suite[], ms: number): XmlElement {
  return {
    name: 'testsuites',
    attributes: { name, ...totals(suites.flatMap(({ cases }) => cases)), time: seconds(ms) },
    children: suites.map(suiteElement),
  };
}

function suiteElement({ name, cases, properties, timestamp }: Suite): XmlElement {
  const ms = cases.reduce((sum, testcase) => sum + testcase.ms, 0);
  return {
    name: 'testsuite',
    attributes: { name, ...totals(cases), time: seconds(ms), timestamp },
    children: [
      {
        name: 'properties',
        children: Object.entries(properties).map(([key, value]) => ({
          name: 'property',
          attributes: { name: key, value: String(value) },
        })),
      },
      ...cases.map(caseElement),
    ],
  };
}

function caseElement({ classname, name, ms, result, output }: TestCase): XmlElement {
  return {
    name: 'testcase',
    attributes: { classname, name, time: seconds(ms) },
    children: [
      ...(result ? [resultElement(result)] : []),
      ...(output === undefined ? [] : [{ name: 'system-out', text: output }]),
    ],
  };
}

function resultElement({ kind, message, type, text }: TestResult): XmlElement {
  const attributes = { message, ...(type !== undefined && { type }) };
  return { name: kind, attributes, ...(text !== undefined && { text }) };
}

function totals(cases: readonly TestCase[]): Readonly<Record<string, string>> {
  const count = (kind: TestResult['kind']): string =>
    String(cases.filter(({ result }) => result?.kind === kind).length);
  return { tests: String(cases.length), failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
