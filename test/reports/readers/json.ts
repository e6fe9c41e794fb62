import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

import type { Comparison } from '../../../reports/model/compareRuns.ts';
import type { MatrixRow } from '../../../reports/model/document.ts';
import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { visible } from '../../../reports/text/visible.ts';
import { rowText, unique, type ComparisonFacts, type Facts, type MatrixFacts } from './facts.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const schemas = Object.fromEntries(
  ['report', 'comparison', 'matrix'].map((name) => {
    const schema = JSON.parse(
      readFileSync(new URL(`../../../reports/formats/json/${name}.schema.json`, import.meta.url), 'utf8'),
    );
    ajv.addSchema(schema);
    return [schema.$id, name];
  }),
);

/** A report of any kind, which its schema allows. */
function validJson(text: string): unknown {
  const report = JSON.parse(text) as { readonly $schema: string };
  expect(Object.keys(schemas)).toContain(report.$schema);
  ajv.validate(report.$schema, report);
  expect(ajv.errors ?? []).toEqual([]);
  return report;
}

/** The facts of a JSON report. */
export function readJson(text: string): Partial<Facts> {
  const report = validJson(text) as JsonReport;
  const { passed, failed, warned, notObservable, inconclusive, errored } = report.summary;
  return {
    verdict: report.verdict,
    exitCode: report.exitCode,
    counts: [passed, failed, warned, notObservable, inconclusive, errored],
    requirements: report.requirements.map(({ id, outcome }) => `${id} ${outcome}`),
    checks: report.checks.map(({ id, outcome }) => `${id} ${outcome}`).toSorted(),
    failing: unique([
      ...report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').map(({ id }) => id),
      ...(report.search?.failures ?? []).map(({ check }) => check),
    ]),
    problems: (report.problems ?? []).map(({ title }) => visible(title)),
    leftOut: (report.contract.leftOut ?? []).join(', '),
    incomplete: !report.run.complete || report.exitCode > 1,
    expectations: (report.expectations ?? []).map(({ id, outcome }) => `${id} ${outcome}`).toSorted(),
  };
}

/** The facts of two runs compared. */
export function readJsonComparison(text: string): Partial<ComparisonFacts> {
  const { regressed, requirements } = validJson(text) as Comparison;
  return { regressed, changes: requirements.map(({ id, change }) => `${id} ${change}`) };
}

/** The facts of several targets. */
export function readJsonMatrix(text: string): Partial<MatrixFacts> {
  const { requirements, reports } = validJson(text) as {
    readonly requirements: readonly MatrixRow[];
    readonly reports: readonly JsonReport[];
  };
  return {
    targets: reports.length,
    verdicts: reports.map(({ verdict }) => verdict),
    rows: requirements.map(({ id, outcomes }) => rowText(id, outcomes)),
  };
}
