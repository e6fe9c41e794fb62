import { failureText } from './failureText.ts';
import type { Reporter } from './reporter.ts';
import { runProblems } from './runProblems.ts';
import type { Sink } from './sink.ts';
import type { CheckResult, RunSummary } from './summary.ts';
import { countsAsFailure } from './verdict.ts';
import type { XmlElement } from './xml.ts';
import { xmlDocument } from './xml.ts';

/** Writes JUnit XML when the run is over. */
export function createJunitReporter(sink: Sink): Reporter {
  return {
    onEvent() {},
    end: (summary) => sink.write(junitReport(summary)),
  };
}

/**
 * The run as JUnit XML: a suite for each topic, a testcase for each check. What fails the run is a `<failure>`; a
 * warning is a passed testcase that says so in its `<system-out>`; what was not observed is `<skipped>`; the kit's own
 * faults are `<error>`s. A run that broke off has one more suite with an `<error>`, so that no reader takes it for a
 * success.
 */
export function junitReport(summary: RunSummary): string {
  const suites = [...topics(summary), ...runSuite(summary)];
  return xmlDocument({
    name: 'testsuites',
    attributes: {
      name: summary.kit.name,
      ...totals(suites.flatMap(({ cases }) => cases)),
      time: seconds(summary.run.durationMs),
    },
    children: suites.map((suite) => suiteElement(suite, summary)),
  });
}

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
}

interface TestCase {
  readonly kind: 'passed' | 'failure' | 'skipped' | 'error';
  readonly ms: number;
  readonly element: XmlElement;
}

function topics(summary: RunSummary): readonly Suite[] {
  const byTopic = Map.groupBy(summary.checks, ({ id }) => topicOf(id));
  return [...byTopic].map(([name, checks]) => ({ name, cases: checks.map((check) => testCase(check, summary)) }));
}

/** `receiver/signature` of `receiver/signature/changed-after-signing`. */
function topicOf(id: string): string {
  return id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : id;
}

function testCase(check: CheckResult, summary: RunSummary): TestCase {
  const kind = kindOf(check, summary);
  const note = `${check.title} (${check.requirements.join(', ')}), cases: ${check.cases}`;
  const output = check.outcome === 'warned' ? `${note}\nwarned: ${failureText(check, summary)}` : note;
  return {
    kind,
    ms: check.durationMs,
    element: {
      name: 'testcase',
      attributes: { classname: topicOf(check.id), name: check.id, time: seconds(check.durationMs) },
      children: [...resultElement(kind, check, summary), { name: 'system-out', text: output }],
    },
  };
}

function kindOf(check: CheckResult, summary: RunSummary): TestCase['kind'] {
  if (countsAsFailure(check, summary)) return 'failure';
  if (check.outcome === 'errored') return 'error';
  return check.outcome === 'passed' || check.outcome === 'warned' ? 'passed' : 'skipped';
}

function resultElement(kind: TestCase['kind'], check: CheckResult, summary: RunSummary): readonly XmlElement[] {
  const reason = check.reason ?? check.outcome;
  switch (kind) {
    case 'passed':
      return [];
    case 'skipped':
      return [{ name: 'skipped', attributes: { message: `${check.outcome}: ${reason}` } }];
    case 'error':
      return [{ name: 'error', attributes: { message: reason, type: 'errored' }, text: reason }];
    case 'failure': {
      const { summary: message = check.title, requirements = check.requirements } = check.counterexample ?? {};
      const attributes = { message, type: requirements.join(' ') };
      return [{ name: 'failure', attributes, text: failureText(check, summary) }];
    }
  }
}

function runSuite(summary: RunSummary): readonly Suite[] {
  const name = `${summary.kit.name}/run`;
  const cases = runProblems(summary).map(({ title, text }): TestCase => {
    const error = { name: 'error', attributes: { message: title, type: 'run' }, text };
    const attributes = { classname: name, name: title, time: seconds(0) };
    return { kind: 'error', ms: 0, element: { name: 'testcase', attributes, children: [error] } };
  });
  return cases.length === 0 ? [] : [{ name, cases }];
}

function suiteElement({ name, cases }: Suite, summary: RunSummary): XmlElement {
  const ms = cases.reduce((sum, testcase) => sum + testcase.ms, 0);
  const properties = { seed: summary.run.seed, complete: summary.run.complete, verdict: summary.verdict };
  return {
    name: 'testsuite',
    attributes: { name, ...totals(cases), time: seconds(ms), timestamp: summary.run.startedAt },
    children: [
      {
        name: 'properties',
        children: Object.entries(properties).map(([key, value]) => ({
          name: 'property',
          attributes: { name: key, value: String(value) },
        })),
      },
      ...cases.map(({ element }) => element),
    ],
  };
}

function totals(cases: readonly TestCase[]): Readonly<Record<string, string>> {
  const count = (kind: TestCase['kind']): string => String(cases.filter((testcase) => testcase.kind === kind).length);
  return { tests: String(cases.length), failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
