import { describe, expect, test } from 'vitest';

import type { Moment, RunEvent } from '../../../../reports/model/events.ts';
import { junitReport } from '../../../../reports/formats/junit/index.ts';
import { summarise } from '../../../../reports/model/summary.ts';
import { caseTimeline } from '../../../../reports/formats/terminal/exchange.ts';
import { answered, attempt, checkFinished, checkStarted, counterexample, finished, started } from '../../madeUpRun.ts';
import { shown } from '../../shown.ts';

const [lost, twin] = ['dd4cc9a4-0000-4000-8000-000000000001', 'dd4c0aef-0000-4000-8000-000000000002'];

const timeline: readonly Moment[] = [
  { ms: 0.4, what: 'sent', id: lost },
  { ms: 3.1, what: 'answered', id: lost, detail: '202 Accepted' },
  { ms: 14.2, what: 'killed' },
  { ms: 20, what: 'sent', id: lost },
  { ms: 21, what: 'broken', id: lost, detail: 'no answer: the connection was closed (ECONNREFUSED)' },
  { ms: 912, what: 'started', detail: 'after 880 ms' },
  { ms: 913, what: 'sent', id: twin },
  { ms: 919, what: 'answered', id: twin, detail: '202 Accepted' },
  { ms: 2304, what: 'note', id: lost, detail: 'no effect so far' },
];

const id = 'receiver/idempotency/together';
const file = '.seaworthy/runs/run-1/receiver-idempotency-together.json';
const exchange = { attempts: [attempt('{}', answered(202)), attempt('{}', answered(202))] };
const run: readonly RunEvent[] = [
  started(),
  checkStarted(id),
  checkFinished(id, 'failed', { counterexample: counterexample({ timeline, file, exchange }) }),
  {
    type: 'life.changed',
    ms: 4210,
    check: 'receiver/robustness/unusual-json',
    case: 3,
    change: 'died',
    detail: 'exit code 1',
    said: ['RangeError: \u001b[31mMaximum call stack size exceeded', '    at parse (server.js:12:3)'],
  },
  { type: 'target.said', ms: 8000, tail: ['bye'], file: '.seaworthy/runs/run-1/target.log' },
  finished(),
];

describe('a case in which the target was killed', () => {
  test('is drawn moment by moment, and the kill leaps to the eye', async () => {
    const text = await shown(run);
    expect(text.slice(text.indexOf('  timeline'), text.indexOf('  request'))).toMatchInlineSnapshot(`
      "  timeline      0 ms │ → dd4cc sent
                      3 ms │ ← dd4cc answered 202 Accepted
                     14 ms │ ━━ KILLED ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
                     20 ms │ → dd4cc sent, attempt 2
                     21 ms │ ✗ dd4cc no answer: the connection was closed
                           │   (ECONNREFUSED)
                    912 ms │ ━━ STARTED after 880 ms ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
                    913 ms │ → dd4c0 sent
                    919 ms │ ← dd4c0 answered 202 Accepted
                    2.30 s │ · dd4cc no effect so far

      "
    `);
    expect(text).toContain(
      `  To try this very case again:\n\nseaworthy replay ${file} --url http://127.0.0.1:4711/hooks\n`,
    );
  });

  test('is drawn on a narrow terminal as well, and in colours', () => {
    const page = { width: 40, paint: (_: unknown, text: string) => `[${text}]` };
    expect(caseTimeline(timeline.slice(2, 6), page).join('\n')).toMatchInlineSnapshot(`
      "timeline     14 ms │ [━━ KILLED ━━━━━━━━━]
                   20 ms │ → dd4c sent
                   21 ms │ ✗ dd4c no answer:
                         │   the connection
                         │   was closed
                         │   (ECONNREFUSED)
                  912 ms │ [━━ STARTED after]
                         │ [  880 ms ━━━━━━━━━━]
      "
    `);
  });

  test('is shown around what was decisive where it is long', () => {
    const many = Array.from({ length: 60 }, (_, ms): Moment => ({ ms, what: ms === 30 ? 'killed' : 'sent', id: lost }));
    const lines = caseTimeline(many, { width: 60, paint: (_, text) => text });
    expect(lines.filter((line) => line.includes('more)'))).toHaveLength(2);
    expect(lines.length).toBeLessThan(35);
  });

  test('is reported in JUnit too', () => {
    const xml = junitReport(summarise(run));
    expect(xml).toContain('     14 ms  == KILLED ==\n');
    expect(xml).toContain(`replay: seaworthy replay ${file} --url http://127.0.0.1:4711/hooks\n`);
  });
});

test('a target that ended by itself is reported with what it wrote before, escaped', async () => {
  const text = await shown(run);
  expect(text.slice(text.indexOf('The receiver ended'), text.indexOf('Checks  '))).toMatchInlineSnapshot(`
    "The receiver ended by itself

      after 4.2 s with exit code 1, while receiver/robustness/unusual-json was at
      work; it wrote last:
        RangeError: <U+001B>[31mMaximum call stack size exceeded
        at parse (server.js:12:3)
      All that it wrote is in .seaworthy/runs/run-1/target.log.

    The target died, and what of is not known
      It ended once although nobody asked for it, and served again later. What was
      under way then was tried again alone, and did not end it. Look at what the
      receiver wrote last: a timer, memory that grows, or requests that meet each
      other.

    "
  `);
});

test('a target that took no connections for a while is not said to have ended', async () => {
  const gone = run.map((event): RunEvent =>
    event.type === 'life.changed' ? { ...event, change: 'lost', detail: 'went away' } : event,
  );
  const text = await shown(gone);
  expect(text.slice(text.lastIndexOf('The target went away'), text.lastIndexOf('Checks  '))).toMatchInlineSnapshot(`
    "The target went away, and why is not known
      Connections to it failed once, and it served again later. What was under way
      then was tried again alone, and did not bring it about. If the receiver
      reloads or only listens anew, turn that off for this run. Otherwise it may
      have ended and been started again. Look at what the receiver wrote last: a
      timer, memory that grows, or requests that meet each other.

    "
  `);
});
