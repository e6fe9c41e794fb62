import { readFileSync } from 'node:fs';

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { Log, Run } from 'sarif';
import { expect } from 'vitest';

import { leftOutOf, unique, type ComparisonFacts, type Facts, type MatrixFacts } from './facts.ts';

/** The official schema is one of draft 04, of which it uses nothing that later drafts read in another way. */
const {
  $schema: _,
  id: __,
  ...schema
} = JSON.parse(readFileSync(new URL('../formats/sarif/sarif-schema-2.1.0.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** A log that the official schema of SARIF 2.1.0 allows. */
export function validSarif(text: string): Log {
  const log = JSON.parse(text);
  validate(log);
  expect(validate.errors ?? []).toEqual([]);
  return log as Log;
}

/** The facts of a run shown in SARIF. */
export function readSarif(text: string): Partial<Facts> {
  const { runs } = validSarif(text);
  expect(runs).toHaveLength(1);
  return factsOfRun(runs[0] as Run);
}

/** The facts of two runs compared. */
export function readSarifComparison(text: string): Partial<ComparisonFacts> {
  const { runs } = validSarif(text);
  expect(runs).toHaveLength(1);
  return { regressed: runs[0]?.properties?.['regressed'] };
}

/** The facts of several targets, a run each. */
export function readSarifMatrix(text: string): Partial<MatrixFacts> {
  const facts = validSarif(text).runs.map(factsOfRun);
  return {
    targets: facts.length,
    failing: facts.map(({ failing = [] }) => failing),
    exitCodes: facts.map(({ exitCode = -1 }) => exitCode),
  };
}

/** The facts of one of its runs. */
function factsOfRun({ tool, invocations = [], results = [], properties = {} }: Run): Partial<Facts> {
  const rules = tool.driver.rules ?? [];
  const { verdict, summary, expectations = [] } = properties;
  const { passed, failed, warned, notObservable, inconclusive, errored } = summary;
  const notifications = invocations[0]?.toolExecutionNotifications ?? [];
  for (const { ruleId, ruleIndex = -1 } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
  for (const { locations = [] } of results) {
    const uri = locations[0]?.physicalLocation?.artifactLocation?.uri ?? '';
    expect(() => new URL(uri, 'file:///repository/')).not.toThrow();
  }
  return {
    verdict,
    exitCode: invocations[0]?.exitCode ?? -1,
    counts: [passed, failed, warned, notObservable, inconclusive, errored],
    requirements: rules.map(({ id, properties: { outcome } = {} }) => `${id} ${outcome}`),
    leftOut: leftOutOf(notifications.find(({ properties: { leftOut } = {} }) => leftOut !== undefined)?.message.text),
    failing: unique(results.map(({ properties: { check } = {} }) => check)),
    problems: notifications
      .filter(({ properties: { check, expectation, leftOut } = {} }) => (check ?? expectation ?? leftOut) === undefined)
      .map(({ message: { text: reported = '' } }) => reported.split('\n')[0] ?? ''),
    expectations: (expectations as readonly { id: string; outcome: string }[])
      .map(({ id, outcome }) => `${id} ${outcome}`)
      .toSorted(),
  };
}
