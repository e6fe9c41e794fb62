import { exitCode } from '../../model/exitCode.ts';
import { expectationsOf, unmetExpectations } from '../../model/expectations.ts';
import { runProblems } from '../../model/runProblems.ts';
import type { CheckResult, RunSummary } from '../../model/runSummary.ts';
import { leftOutTexts } from '../../model/selectionEvents.ts';
import { countsAsFailure } from '../../model/verdict.ts';
import { casesText } from '../../text/amount.ts';
import { contractText } from '../../text/citation.ts';
import { expectationText, failureText, flakyTexts } from '../../text/failureText.ts';
import { cutShortTexts } from '../../text/verdictWords.ts';
import { visible } from '../../text/visible.ts';
import { quietMarkup } from '../github/workflowCommand.ts';

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

/** An element of an XML document: text or children, never both. */
interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly children?: readonly XmlElement[];
}

/**
 * An XML 1.0 document in UTF-8, one element a line. What XML cannot carry, or no reader would show, stands there
 * spelled out (see `visible`); of control characters only line feeds and tabs in text stay as they are.
 */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, '')}\n`;
}

function element({ name, attributes = {}, text, children = [] }: XmlElement, indent: string): string {
  const open = `${indent}<${name}${Object.entries(attributes).map(attribute).join('')}`;
  if (text !== undefined) return `${open}>${escaped(visible(text, '\n\t'))}</${name}>`;
  if (children.length === 0) return `${open}/>`;
  return [`${open}>`, ...children.map((child) => element(child, `${indent}  `)), `${indent}</${name}>`].join('\n');
}

function attribute([name, value]: readonly [string, string]): string {
  return ` ${name}="${escaped(visible(value)).replaceAll('"', '&quot;')}"`;
}

/** `>` is only escaped where it would end a CDATA section, to spare readers that count entities. */
function escaped(text: string): string {
  return quietMarkup(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;'));
}

/** The suites of a run: one for each topic, one for what was expected to fail and does not, one for the run as a whole. */
export function runSuites(summary: RunSummary): readonly Suite[] {
  return [...topics(summary), ...expectationSuite(summary), runSuite(summary)];
}

function topics(summary: RunSummary): readonly Suite[] {
  const byTopic = Map.groupBy(summary.checks, ({ id }) => topicOf(id));
  return [...byTopic].map(([name, checks]) =>
    suite(
      name,
      checks.map((check) => testCase(check, summary)),
      summary,
    ),
  );
}

/** `receiver/signature` of `receiver/signature/changed-after-signing`. */
function topicOf(id: string): string {
  return id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : id;
}

function testCase(check: CheckResult, summary: RunSummary): TestCase {
  const result = resultOf(check, summary);
  const note = `outcome: ${check.outcome}\n${check.title} (${check.requirements.join(', ')}), ${casesText(check)}`;
  const reported = result?.kind === 'failure' ? [] : warning(check, summary);
  return {
    classname: topicOf(check.id),
    name: check.id,
    ms: check.durationMs,
    ...(result && { result }),
    output: [note, ...reported, ...flakyTexts(check, summary)].join('\n'),
  };
}

/** What a reader would not see: a testcase that passed has no text but its output. */
function warning(check: CheckResult, summary: RunSummary): readonly string[] {
  if (check.outcome !== 'warned' && check.outcome !== 'failed') return [];
  return [`${check.outcome}: ${failureText(check, summary)}`];
}

function resultOf(check: CheckResult, summary: RunSummary): TestResult | undefined {
  const expected = expectationsOf(check, summary);
  if (expected.length > 0) return { kind: 'skipped', message: expected.map(expectationText).join('\n') };
  if (countsAsFailure(check, summary)) return failure(check, summary);
  const { outcome, reason = outcome } = check;
  if (outcome === 'errored') return { kind: 'error', message: reason, type: 'errored', text: reason };
  if (outcome === 'passed' || outcome === 'warned') return undefined;
  return { kind: 'skipped', message: `${outcome}: ${reason}` };
}

function failure(check: CheckResult, summary: RunSummary): TestResult {
  const { summary: message = check.title, requirements = check.requirements } = check.counterexample ?? {};
  return { kind: 'failure', message, type: requirements.join(' '), text: failureText(check, summary) };
}

/** An entry of `--expect-failures` that does not hold fails the run, so it is a failure here. */
function expectationSuite(summary: RunSummary): readonly Suite[] {
  const name = `${summary.kit.name}/expect-failures`;
  const cases = unmetExpectations(summary).map((entry): TestCase => {
    const text = expectationText(entry);
    const result = { kind: 'failure', message: text, type: 'expectation', text } as const;
    return { classname: name, name: `expected to fail: ${entry.id}`, ms: 0, result };
  });
  return cases.length === 0 ? [] : [suite(name, cases, summary)];
}

/** What ended the run early as errors; how each requirement stands, and why where it is undecided, as properties. */
function runSuite(summary: RunSummary): Suite {
  const name = `${summary.kit.name}/run`;
  const cases = runProblems(summary).map(({ title, text }): TestCase => {
    return { classname: name, name: title, ms: 0, result: { kind: 'error', message: title, type: 'run', text } };
  });
  const standing = summary.requirements.map(({ id, outcome }) => [`requirement ${id}`, outcome] as const);
  const reasons = summary.requirements.flatMap(({ id, reason }) =>
    reason === undefined ? [] : [[`why requirement ${id}`, reason] as const],
  );
  return suite(name, cases, summary, {
    exitCode: exitCode(summary),
    command: summary.command,
    contract: contractText(summary.contract),
    ...Object.fromEntries(leftOutTexts(summary.contract).map((text) => ['leftOut', text])),
    ...Object.fromEntries(cutShortTexts(summary).map((text) => ['time', text])),
    deliveries: summary.summary.deliveries,
    ...Object.fromEntries([...standing, ...reasons]),
  });
}

function suite(
  name: string,
  cases: readonly TestCase[],
  { search, run, verdict }: RunSummary,
  more: Suite['properties'] = {},
): Suite {
  const { cases: sequences = 0, steps = 0, failures = 0, flaky = 0, shrinking = 0 } = search?.figures ?? {};
  const searched = search && { sequences, steps, failures, flaky, ...(shrinking > 0 && { shrinking }) };
  const drawn = run.caughtOnly === true ? {} : { seed: run.seed };
  const properties = { ...drawn, complete: run.complete, verdict, ...searched, ...more };
  return { name, cases, properties, timestamp: run.startedAt };
}
