import { describe, expect, test } from 'vitest';

import { comparedRequest, type ComparedRequest } from '../../../../reports/model/comparedRequest.ts';
import type { ReportedHeader, RunEvent } from '../../../../reports/model/events.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { terminalReport } from '../../../../reports/formats/terminal/index.ts';
import { answered, attempt, failingRun, signed } from '../../madeUpRun.ts';
import { paper } from '../../paper.ts';

test('of a header of ten thousand characters the beginning is shown', () => {
  const events = failingRun().map((event): RunEvent => {
    if (event.type !== 'check.finished' || event.counterexample === undefined) return event;
    const { request, answer } = attempt('{}', answered(400));
    const long = { request: { ...request, headers: [['X-Signature', 'a'.repeat(10_000)] as const] }, answer };
    return { ...event, counterexample: { ...event.counterexample, exchange: { attempts: [long] } } };
  });
  const report = terminalReport(summarise(events), paper());
  expect(report).toContain('(10,000 characters)');
  expect(report).not.toContain('a'.repeat(200));
  expect(report.split('\n').length).toBeLessThan(150);
});

test('ids are said to differ only where they do', () => {
  const lines = (found: string): string => {
    const events = failingRun().map((event): RunEvent => {
      if (event.type !== 'check.finished' || event.counterexample?.exchange.twin === undefined) return event;
      const twin = attempt('"0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"', answered(200));
      const exchange = { attempts: [attempt(found, answered(200))], twin, difference: 'no signature' };
      return { ...event, counterexample: { ...event.counterexample, exchange } };
    });
    return terminalReport(summarise(events), paper());
  };
  expect(lines('"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1"')).toMatch(/only in this \(and\s+the id\): no signature/);
  expect(lines('"0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"')).toMatch(/only in this: no\s+signature/);
});

test('a difference between two deliveries is marked where it is', () => {
  const lines = (name: string, twin: string, found: string): string => {
    const events = failingRun().map((event): RunEvent => {
      if (event.type !== 'check.finished' || event.counterexample?.exchange.twin === undefined) return event;
      const exchange = { attempts: [attempt(found, answered(200))], twin: attempt(twin, answered(200)) };
      return { ...event, counterexample: { ...event.counterexample, exchange } };
    });
    const report = terminalReport(summarise(events), paper());
    return `${name}\n${/^ +accepted {2}.*\n.*this one {2}.*\n.*/m.exec(report)?.[0] ?? 'none is marked'}`;
  };
  const marked = [
    lines('one character more', '{"a":1}', '{"a":12}'),
    lines('one character less', '{"a":12}', '{"a":1}'),
    lines('an escape', '{"a":"\u2028"}', '{"a":"\\u2028"}'),
    lines('a byte that cannot be seen', 'a', 'a\0'),
    lines('far inside', `${'x'.repeat(500)}1${'y'.repeat(500)}`, `${'x'.repeat(500)}2${'y'.repeat(500)}`),
    lines('behind wide characters', '"漢字"', '"漢字 "'),
    lines('beside other ids', '"0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"', '"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1" '),
    lines('in the ids alone', '"0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"', '"dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1"'),
    lines('nowhere', '{}', '{}'),
  ];
  expect(marked.join('\n')).toMatchInlineSnapshot(`
    "one character more
      accepted  {"a":1}
      this one  {"a":12}
                      ^
    one character less
      accepted  {"a":12}
      this one  {"a":1}
                      ^
    an escape
      accepted  {"a":"<U+2028>"}
      this one  {"a":"\\u2028"}
                      ^^^^^^
    a byte that cannot be seen
      accepted  a
      this one  a<U+0000>
                 ^^^^^^^^
    far inside
      accepted  …xxxxxxxxxxxxxxxxxxxxx1yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
      this one  …xxxxxxxxxxxxxxxxxxxxx2yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
                                      ^
    behind wide characters
      accepted  "漢字"
      this one  "漢字 "
                     ^
    beside other ids
      accepted  …4c-8a05-a2f1a5a3b2c1"
      this one  …4c-8a05-a2f1a5a3b2c1" 
                                      ^
    in the ids alone
      accepted  "0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9"
      this one  "dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1"
                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    nowhere
    none is marked"
  `);
});

describe('what is marked is what is meant', () => {
  const [first, second] = ['0a7cbb60-3c36-41a7-a5d2-5e1f6dd0a0e9', 'dd4cc9a4-93ad-4f4c-8a05-a2f1a5a3b2c1'];
  const twin = attempt(`{"id":"${first}"}`, answered(200), signed('ab')).request;
  const neighbour = { request: twin, anew: true, ownId: true };
  const sent = (body: string, headers: readonly ReportedHeader[] = signed('cd')) =>
    attempt(body, answered(200), headers).request;
  const marks = (compared: ComparedRequest) => ({
    headers: compared.headers.filter(({ mark }) => mark !== 'same').map(({ name, mark }) => `${name} ${mark}`),
    body: compared.body?.second.changed ?? compared.bodies,
  });

  test('a header alone: nothing is marked in the body', () => {
    const headers = [...signed('cd'), ['X-Extra', '1'] as const];
    const compared = comparedRequest(sent(`{"id":"${second}"}`, headers), neighbour);
    expect(marks(compared)).toEqual({ headers: ['X-Extra added'], body: 'alike' });
  });

  test('a signature: it is made anew for each delivery, and so marked only where the case is about it', () => {
    const request = sent(`{"id":"${second}"}`);
    const difference = 'signed with another secret';
    expect(marks(comparedRequest(request, neighbour, { difference, differsIn: 'signature' }))).toEqual({
      headers: ['X-SVC-Webhook-Signature differs'],
      body: 'alike',
    });
    expect(marks(comparedRequest(request, neighbour, { difference: 'seven copies at once' }))).toEqual({
      headers: [],
      body: 'alike',
    });
  });

  test("a member beside the address of the kit's endpoint, which every webhook has of its own", () => {
    const body = (endpoint: string, headers: string) =>
      `{"url":"http://127.0.0.1:4711/${endpoint}","headers":${headers}}`;
    const other = { request: sent(body('5f2c01', '{}'), []), anew: false };
    expect(marks(comparedRequest(sent(body('77aa90', 'null'), []), other))).toEqual({ headers: [], body: 'null' });
  });

  test('a time an hour ago and an id of another version are differences; times of one run are none', () => {
    const body = (id: string, at: string) => `{"id":"${id}","created_at":"${at}"}`;
    const other = { request: sent(body(first, '2026-11-20T19:00:00Z')), anew: true };
    const changed = (id: string, at: string) => marks(comparedRequest(sent(body(id, at)), other)).body;
    expect(changed(second, '2026-11-20T17:00:00Z')).toBe('2026-11-20T17:00:00Z');
    expect(changed(second, '2026-11-20T19:00:00.500Z')).toBe('2026-11-20T19:00:00.500Z');
    expect(changed(second.replace('-4f4c-', '-7f4c-'), '2026-11-20T19:00:01Z')).toMatch(/^dd4cc9a4-93ad-7f4c/);
  });
});

test('ids that are no UUIDs are no difference where the kit gave each its own', () => {
  const body = (id: string, text: string) => `{"id":"${id}","text":"${text}"}`;
  const compared = (text: string): ComparedRequest => {
    const [twin, request] = [
      { ...attempt(body('KLN-AAAAAAAA', 'a'), answered(200)).request, id: 'KLN-AAAAAAAA' },
      { ...attempt(body('KLN-BBBBBBBB', text), answered(200)).request, id: 'KLN-BBBBBBBB' },
    ];
    return comparedRequest(request, { request: twin, anew: true, ownId: true }, { difference: 'something' });
  };
  expect(compared('b').body?.second).toEqual({
    before: '{"id":"KLN-BBBBBBBB","text":"',
    changed: 'b',
    after: '"}',
  });
  expect(compared('a')).toMatchObject({ bodies: 'alike' });
});
