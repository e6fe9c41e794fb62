import { quietMarkup } from '../github/workflowCommand.ts';
import { visible } from '../../text/visible.ts';

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
