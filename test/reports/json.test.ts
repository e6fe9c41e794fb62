import { readFile } from 'node:fs/promises';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createReporter } from '../../reports/formats.ts';
import { jsonReport, reportSchema } from '../../reports/json.ts';
import { summarise } from '../../reports/summary.ts';
import { generatedRun } from './generatedRun.ts';
import { failingRun } from './madeUpRun.ts';
import { paper } from './paper.ts';

const schema = JSON.parse(await readFile(new URL('../../reports/report.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

function problems(report: unknown): readonly string[] {
  validate(report);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** A report as a program without our types sees it. */
// oxlint-disable-next-line typescript/no-explicit-any -- to be spoiled in ways that the types forbid
type Loose = Record<string, any>;

function changed(change: (report: Loose) => void): unknown {
  const report = structuredClone(jsonReport(summarise(failingRun())));
  change(report);
  return report;
}

test('the report of a failing run', () => {
  const report = jsonReport(summarise(failingRun()));
  expect(problems(report)).toEqual([]);
  expect(Object.keys(report)).toEqual([
    '$schema',
    'format',
    'kit',
    'contract',
    'target',
    'run',
    'verdict',
    'summary',
    'requirements',
    'checks',
    'assumptions',
    'observations',
  ]);
  expect(report.$schema).toBe(schema.$id);
  expect({ ...report, checks: report.checks.map(({ id, outcome }) => `${outcome} ${id}`) }).toMatchInlineSnapshot(`
    {
      "$schema": "urn:seaworthy:report:1",
      "assumptions": [
        {
          "gap": "GAP-14",
          "key": "signature.scheme",
          "source": "default",
          "value": "hmac-sha256-hex",
        },
        {
          "gap": "GAP-14",
          "key": "signature.header",
          "source": "option",
          "value": "X-Signature",
        },
      ],
      "checks": [
        "passed receiver/acceptance/every-event",
        "warned receiver/acceptance/not-json",
        "failed receiver/idempotency/redelivered-once-more",
        "inconclusive receiver/idempotency/together",
        "passed receiver/signature/missing",
        "failed receiver/signature/changed-after-signing",
        "not-observable receiver/timing/answers-in-time",
      ],
      "contract": {
        "title": "Shipment Tracking Service",
        "version": "0.2.0",
      },
      "format": 1,
      "kit": {
        "name": "seaworthy",
        "version": "0.1.0",
      },
      "observations": [
        {
          "evidence": "12 of 12 deliveries were answered 200",
          "gap": "GAP-14",
          "value": "an upper-case signature is accepted",
        },
      ],
      "requirements": [
        {
          "checks": [
            "receiver/acceptance/every-event",
          ],
          "id": "RCV-1",
          "level": "must",
          "outcome": "holds",
          "section": "4.4, 6",
        },
        {
          "checks": [
            "receiver/timing/answers-in-time",
          ],
          "id": "RCV-4",
          "level": "should",
          "outcome": "not-observed",
          "section": "4.4",
        },
        {
          "checks": [
            "receiver/acceptance/not-json",
          ],
          "id": "RCV-5",
          "level": "should",
          "outcome": "broken",
          "section": "4.4",
        },
        {
          "checks": [
            "receiver/idempotency/redelivered-once-more",
            "receiver/idempotency/together",
          ],
          "id": "IDM-2",
          "level": "must",
          "outcome": "broken",
          "section": "6.3",
        },
        {
          "checks": [
            "receiver/idempotency/together",
          ],
          "id": "IDM-3",
          "level": "must",
          "outcome": "inconclusive",
          "section": "6.3",
        },
        {
          "checks": [
            "receiver/signature/missing",
            "receiver/signature/changed-after-signing",
          ],
          "id": "VRF-2",
          "level": "must",
          "outcome": "inconclusive",
          "section": "5.2",
        },
        {
          "checks": [
            "receiver/signature/changed-after-signing",
          ],
          "id": "VRF-3",
          "level": "must",
          "outcome": "broken",
          "section": "5.2",
        },
        {
          "checks": [],
          "id": "SRC-1",
          "level": "may",
          "outcome": "not-observed",
          "section": "5.2",
        },
      ],
      "run": {
        "complete": true,
        "durationMs": 8400,
        "id": "run-1",
        "intensity": "standard",
        "seed": 42,
        "startedAt": "2026-11-20T19:00:00.000Z",
      },
      "summary": {
        "deliveries": 1234,
        "errored": 0,
        "failed": 2,
        "inconclusive": 1,
        "notObservable": 1,
        "passed": 2,
        "warned": 1,
      },
      "target": {
        "address": "http://127.0.0.1:4711/hooks",
        "kind": "receiver",
      },
      "verdict": "does-not-conform",
    }
  `);
});

test('every report of every run validates, as it was written', () => {
  fc.assert(
    fc.property(generatedRun, (run) => {
      const sink = paper();
      void createReporter('json', sink).end?.(summarise(run));
      expect(problems(JSON.parse(sink.text()))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

describe('the schema refuses', () => {
  test.each<[string, unknown, string]>([
    [
      'a member that it does not know',
      changed((report) => (report['extra'] = 1)),
      ' must NOT have additional properties',
    ],
    ['another format', changed((report) => (report['format'] = 2)), '/format must be equal to constant'],
    [
      'an unknown outcome',
      changed((report) => (report['checks'][0].outcome = 'ok')),
      '/checks/0/outcome must be equal to one of the allowed values',
    ],
    [
      'a passed check with a counterexample',
      changed((report) => (report['checks'][2].outcome = 'passed')),
      '/checks/2/counterexample boolean schema is false',
    ],
    [
      'a report without its verdict',
      changed((report) => delete report['verdict']),
      " must have required property 'verdict'",
    ],
    [
      'an answer with what only another kind has',
      changed((report) => (report['checks'][2].counterexample.exchange.attempts[0].answer.code = 'ECONNRESET')),
      '/checks/2/counterexample/exchange/attempts/0/answer must NOT have unevaluated properties',
    ],
  ])('%s', (_, report, problem) => {
    expect(problems(report)).toContain(problem);
  });
});

test('its name is the one that the schema has', () => {
  expect(schema.$id).toBe(reportSchema);
});
