import { describe, expect, test } from 'vitest';

import type { RunEvent } from '../../reports/model/events.ts';
import { exitCode } from '../../reports/model/exitCode.ts';
import { jsonReport } from '../../reports/formats/json/jsonReport.ts';
import { journalLine, readJournal } from '../../reports/model/journal.ts';
import { summarise } from '../../reports/model/summary.ts';
import { countsAsFailure } from '../../reports/model/verdict.ts';
import { check, checkFinished, counterexample, finished, requirement, started } from './madeUpRun.ts';
import {
  called,
  caughtShort,
  created,
  creation,
  failingServiceRun,
  opinion,
  serviceStarted,
} from './madeUpServiceRun.ts';

const learned = { type: 'learned', ms: 1, gap: 'GAP-14', key: 'signature.scheme', evidence: 'first' } as const;
const left = (...what: readonly string[]): RunEvent => ({ type: 'left.over', ms: 1, what });

describe('what went over the wire is counted', () => {
  const wire = [called(), called(), caughtShort()];

  test('calls and caught deliveries of a service', () => {
    expect(summarise([serviceStarted(), ...wire, finished()]).summary).toMatchObject({ calls: 2, deliveries: 1 });
    expect(summarise([serviceStarted(), finished()]).summary).toMatchObject({ calls: 0, deliveries: 0 });
  });

  test('for a receiver no calls', () => {
    expect(summarise([started(), finished()]).summary).not.toHaveProperty('calls');
  });
});

test('of what is learned the last value of each assumption stays, and all of it is among the JSON observations', () => {
  const {
    learned: kept,
    observations,
    ...summary
  } = summarise([
    serviceStarted(),
    { ...learned, value: 'hmac-sha256-hex' },
    { ...learned, key: 'signature.header', value: 'X-Sign' },
    { type: 'observed', ms: 1, gap: 'GAP-5', value: 'seen', evidence: 'once' },
    { ...learned, value: 'hmac-sha256-base64', evidence: 'last' },
    finished(),
  ]);
  expect(kept).toEqual([
    { key: 'signature.scheme', gap: 'GAP-14', value: 'hmac-sha256-base64', evidence: 'last' },
    { key: 'signature.header', gap: 'GAP-14', value: 'X-Sign', evidence: 'first' },
  ]);
  expect(jsonReport({ ...summary, learned: kept, observations }).observations).toEqual([
    { gap: 'GAP-5', value: 'seen', evidence: 'once' },
    { gap: 'GAP-14', value: 'signature.scheme = hmac-sha256-base64', evidence: 'last' },
    { gap: 'GAP-14', value: 'signature.header = X-Sign', evidence: 'first' },
  ]);
});

describe('the second opinion', () => {
  const differed = opinion('createWebhook', 'response', 'valid', 'invalid', 'url');
  const end: RunEvent = { type: 'opinion.finished', ms: 2, compared: 50, differed: 3 };

  test('has equal disagreements once, with their number', () => {
    const other = opinion('createWebhook', 'request', 'valid', 'invalid', 'url');
    expect(summarise([serviceStarted(), differed, other, differed, end, finished()]).secondOpinion).toEqual({
      compared: 50,
      disagreements: [
        { operationId: 'createWebhook', part: 'response', kit: 'valid', prism: 'invalid', detail: 'url', count: 2 },
        { operationId: 'createWebhook', part: 'request', kit: 'valid', prism: 'invalid', detail: 'url', count: 1 },
      ],
    });
  });

  test('agrees where nothing differed', () => {
    expect(summarise([serviceStarted(), end, finished()]).secondOpinion).toEqual({ compared: 50, disagreements: [] });
  });

  test('of a killed run knows of the disagreements only', () => {
    expect(summarise([serviceStarted(), differed, differed]).secondOpinion).toMatchObject({ compared: 2 });
  });

  test('is not there where nobody asked', () => {
    const summary = summarise([serviceStarted(), finished()]);
    expect(summary).not.toHaveProperty('secondOpinion');
    expect(jsonReport(summary)).not.toHaveProperty('secondOpinion');
  });
});

test('what was left over is reported once, and only where there was anything', () => {
  const summary = summarise([serviceStarted(), left('webhook 1', 'webhook 2'), left('webhook 1'), finished()]);
  expect(jsonReport(summary).leftOver).toEqual(['webhook 1', 'webhook 2']);
  expect(jsonReport(summarise([serviceStarted(), left(), finished()]))).not.toHaveProperty('leftOver');
});

test('checks that never began, since no webhook could be created, say so', () => {
  const refused: RunEvent = {
    type: 'control.finished',
    ms: 5,
    accepted: false,
    attempt: creation(['container.created'], created(401), 3),
  };
  const summary = summarise([serviceStarted(), refused, finished({ complete: false })]);
  expect(new Set(summary.checks.map(({ reason }) => reason))).toEqual(
    new Set(['no plain webhook was created, and the run ended before this check began']),
  );
  expect(exitCode(summary)).toBe(3);
});

test('a broken MAY is a warning that changes neither verdict nor exit code, unless it was declared', () => {
  const run = (binding: boolean): readonly RunEvent[] => [
    serviceStarted({
      checks: [check('service/a', 'a', ['M-1']), check('service/b', 'b', ['M-2'], 'may')],
      requirements: [
        requirement('M-1', '1', 'must', 'a'),
        { ...requirement('M-2', '1', 'may', 'b'), ...(binding && { binding }) },
      ],
    }),
    checkFinished('service/a', 'passed'),
    checkFinished('service/b', 'warned', { counterexample: counterexample({ requirements: ['M-2'] }) }),
    finished(),
  ];
  const said = (binding: boolean): readonly unknown[] => {
    const summary = summarise(run(binding));
    const [, broken] = summary.checks;
    return [summary.verdict, exitCode(summary), broken && countsAsFailure(broken, summary)];
  };
  expect(said(false)).toEqual(['conforms', 0, false]);
  expect(said(true)).toEqual(['does-not-conform', 1, true]);
});

test('the journal of a run against a service gives the same summary', () => {
  const events = readJournal(failingServiceRun().map(journalLine).join(''));
  expect(summarise(events)).toEqual(summarise(failingServiceRun()));
});
