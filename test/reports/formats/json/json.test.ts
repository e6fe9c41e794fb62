import { readFile } from 'node:fs/promises';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createReporter } from '../../../../reports/formats/index.ts';
import { jsonReport, reportSchema } from '../../../../reports/formats/json/jsonReport.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { generatedRun } from '../../generatedRun.ts';
import { failingRun } from '../../madeUpRun.ts';
import { failingServiceRun } from '../../madeUpServiceRun.ts';
import { paper } from '../../paper.ts';

const schema = JSON.parse(
  await readFile(new URL('../../../../reports/formats/json/report.schema.json', import.meta.url), 'utf8'),
);
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

function changed(change: (report: Loose) => void, run = failingRun()): unknown {
  const report = structuredClone(jsonReport(summarise(run)));
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
    'exitCode',
    'command',
    'wire',
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
      "command": "seaworthy receiver http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42",
      "contract": {
        "title": "Shipment Tracking Service",
        "version": "0.2.0",
      },
      "exitCode": 1,
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
          "statement": "Every subscribed event is answered with an accepting status.",
        },
        {
          "checks": [
            "receiver/timing/answers-in-time",
          ],
          "id": "RCV-4",
          "level": "should",
          "outcome": "not-observed",
          "reason": "no probe: --probe <url or command> makes it observable",
          "section": "4.4",
          "statement": "The answer stays within the delivery time-out.",
        },
        {
          "checks": [
            "receiver/acceptance/not-json",
          ],
          "id": "RCV-5",
          "level": "should",
          "outcome": "broken",
          "section": "4.4",
          "statement": "What was not accepted is not answered with an accepting status.",
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
          "statement": "A redelivered notification takes effect once.",
        },
        {
          "checks": [
            "receiver/idempotency/together",
          ],
          "id": "IDM-3",
          "level": "must",
          "outcome": "inconclusive",
          "reason": "the effects were still changing when the wait was over; give --settle a longer time",
          "section": "6.3",
          "statement": "Copies that arrive at the same time take effect once.",
        },
        {
          "checks": [
            "receiver/signature/missing",
            "receiver/signature/changed-after-signing",
          ],
          "id": "VRF-2",
          "level": "must",
          "outcome": "inconclusive",
          "reason": "receiver/signature/changed-after-signing failed over VRF-3 before it could show this; fix that, and run again",
          "section": "5.2",
          "statement": "A missing or wrong signature is refused and takes no effect.",
        },
        {
          "checks": [
            "receiver/signature/changed-after-signing",
          ],
          "id": "VRF-3",
          "level": "must",
          "outcome": "broken",
          "section": "5.2",
          "statement": "A body changed after it was signed is refused, even where it parses to the same value.",
          "why": "A signature that does not cover each byte fits another body.",
        },
        {
          "checks": [],
          "id": "SRC-1",
          "level": "may",
          "outcome": "not-observed",
          "reason": "no check is about it",
          "section": "5.2",
          "statement": "Only published sender addresses are let in.",
        },
      ],
      "run": {
        "complete": true,
        "durationMs": 8400,
        "id": "run-1",
        "intensity": "standard",
        "seed": 42,
        "startedAt": "2026-11-20T19:00:00.000Z",
        "strict": false,
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
      "wire": {
        "events": [
          {
            "cells": [
              {
                "check": "control",
                "deliveries": 1234,
                "refused": 0,
                "unanswered": 0,
              },
            ],
            "event": "container.created",
          },
        ],
        "latencies": {
          "bins": [
            {
              "count": 1234,
              "from": 2.81,
              "to": 3.09,
            },
          ],
          "count": 1234,
          "longest": 3,
          "median": 2.95,
          "p95": 3,
          "p99": 3,
        },
        "latenciesByCheck": [
          {
            "bins": [
              {
                "count": 1234,
                "from": 2.81,
                "to": 3.09,
              },
            ],
            "check": "control",
            "count": 1234,
            "longest": 3,
            "median": 2.95,
            "p95": 3,
            "p99": 3,
          },
        ],
        "retried": [],
      },
    }
  `);
});

test('the report of a run against a service has the same shape, and what only a service shows', () => {
  const report = jsonReport(summarise(failingServiceRun()));
  expect(problems(report)).toEqual([]);
  const { target, summary, observations, secondOpinion, leftOver } = report;
  expect({ target, summary, observations, secondOpinion, leftOver }).toMatchInlineSnapshot(`
    {
      "leftOver": [
        "webhook 5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0 (turned inactive; it cannot be deleted as assumed)",
      ],
      "observations": [
        {
          "evidence": "seen at 2 webhooks",
          "gap": "GAP-5",
          "value": "a webhook turns inactive after 5 failed notifications",
        },
        {
          "evidence": "all 420 deliveries verify with the secret of their webhook",
          "gap": "GAP-14",
          "value": "signature.scheme = sha256=hmac-sha256-base64",
        },
        {
          "evidence": "median of the pauses before each retry of 31 notifications, 18 to 33 of them a pause",
          "gap": "GAP-18",
          "value": "retries.schedule = 20ms,40ms,80ms,160ms,320ms,640ms",
        },
      ],
      "secondOpinion": {
        "compared": 3000,
        "disagreements": [
          {
            "count": 2,
            "detail": "the kit: created_at is no date-time; Prism: no complaint",
            "kit": "invalid",
            "operationId": "createWebhook",
            "part": "response",
            "prism": "valid",
          },
          {
            "count": 1,
            "detail": "the kit: no complaint; Prism: page[size] is no number",
            "kit": "valid",
            "operationId": "listWebhooks",
            "part": "request",
            "prism": "invalid",
          },
        ],
      },
      "summary": {
        "calls": 1500,
        "deliveries": 420,
        "errored": 0,
        "failed": 2,
        "inconclusive": 1,
        "notObservable": 1,
        "passed": 1,
        "warned": 1,
      },
      "target": {
        "address": "http://127.0.0.1:8080/v2",
        "kind": "service",
      },
    }
  `);
  const retries = report.checks.find(({ id }) => id === 'service/delivery/retries');
  expect(retries?.counterexample?.exchange.attempts.at(1)).toMatchInlineSnapshot(`
    {
      "answered": "500",
      "at": 340,
      "caught": true,
      "from": "127.0.0.1",
      "number": 1,
      "request": {
        "body": {
          "bytes": 205,
          "sha256": "9f40f32a66dfea2d5444a1a207df4b359b05619362b7de8ed8cdfe12947c1bb3",
          "text": "{"data":{"id":"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1","type":"webhook_notification","attributes":{"event":"container.created","delivery_status":"pending","created_at":"2026-11-20T19:00:00Z"}},"included":[]}",
        },
        "headers": [
          [
            "Content-Type",
            "application/json",
          ],
          [
            "X-SVC-Webhook-Signature",
            "a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7",
          ],
          [
            "X-Custom-NAME",
            "as it came",
          ],
        ],
        "method": "POST",
        "url": "http://127.0.0.1:40613/2d6f3f0a-6c1e-4b0e-9a52-1f0f5f1f9c11",
      },
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
    [
      'a caught delivery with an answer that came back',
      changed((report) => {
        const { attempts } = report['checks'][3].counterexample.exchange;
        attempts[1].answer = attempts[0].answer;
      }, failingServiceRun()),
      '/checks/3/counterexample/exchange/attempts/1 must NOT have additional properties',
    ],
    [
      'a disagreement that never was',
      changed((report) => (report['secondOpinion'].disagreements[0].count = 0), failingServiceRun()),
      '/secondOpinion/disagreements/0/count must be >= 1',
    ],
  ])('%s', (_, report, problem) => {
    expect(problems(report)).toContain(problem);
  });
});

test('its name is the one that the schema has', () => {
  expect(schema.$id).toBe(reportSchema);
});
