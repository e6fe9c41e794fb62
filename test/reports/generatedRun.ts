import fc from 'fast-check';

import type { CheckOutcome, Counterexample, RunEvent } from '../../reports/events.ts';
import {
  answered,
  attempt,
  check,
  checkFinished,
  checkStarted,
  counterexample,
  delivered,
  finished,
  requirement,
  started,
} from './madeUpRun.ts';

/** What a hostile target may put into its answers, or a case into its bodies. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '\u001b[2J\u001b]0;title\u0007',
    'a\0b',
    '\ud83d',
    '\u202egnp',
    ']]><x>&amp;',
    '</failure>',
    '\r\n\r\n',
    '\ufffe',
    '`',
    ' '.repeat(200),
    'x'.repeat(300),
    '漢字'.repeat(60),
  ),
);

const outcome = fc.constantFrom<CheckOutcome>(
  'passed',
  'failed',
  'warned',
  'not-observable',
  'inconclusive',
  'errored',
);
const level = fc.constantFrom('must', 'should', 'may');

const answer = fc.oneof(
  fc.tuple(fc.integer({ min: 100, max: 599 }), hostile).map(([status, text]) => answered(status, text)),
  hostile.map((code) => ({ kind: 'broken', code, ms: 1 }) as const),
  fc.constant({ kind: 'timed-out', ms: 10_000 } as const),
);

const anAttempt = fc
  .record({
    text: hostile,
    answer,
    headers: fc.array(fc.tuple(hostile, hostile), { maxLength: 3 }),
    wire: fc.array(hostile, { maxLength: 2 }),
  })
  .map((parts) => {
    const { request, ...rest } = attempt(parts.text, parts.answer, parts.headers);
    return { ...rest, request: { ...request, wire: parts.wire } };
  });

function aCounterexample(requirements: readonly string[]): fc.Arbitrary<Counterexample> {
  return fc
    .record({
      texts: fc.record({ summary: hostile, expected: hostile, actual: hostile, hint: hostile, curl: hostile }),
      named: fc.subarray([...requirements]),
      exchange: fc.record(
        {
          attempts: fc.array(anAttempt, { maxLength: 12 }),
          twin: anAttempt,
          difference: hostile,
          effects: fc.array(fc.record({ id: hostile, expected: fc.nat(3), actual: fc.nat(3) }), { maxLength: 2 }),
        },
        { requiredKeys: ['attempts'] },
      ),
    })
    .map(({ texts, named, exchange }) => counterexample({ ...texts, requirements: named, exchange }));
}

const names = ['A-1', 'A-2', 'B-1', 'B-2', 'B-3'] as const;

/** A check and all its events; some have begun only, some not even that. */
const aCheck = fc.integer({ min: 0, max: 999 }).chain((number) =>
  fc
    .record({
      ids: fc.subarray([...names], { minLength: 1 }),
      level,
      outcome,
      reason: hostile,
      title: hostile,
      phase: fc.constantFrom('none', 'began', 'ended', 'ended', 'ended'),
    })
    .chain((parts) =>
      aCounterexample(parts.ids).map((found) => ({
        announced: check(`t${number % 3}/check-${number}`, parts.title, parts.ids, parts.level),
        events: eventsOf(`t${number % 3}/check-${number}`, parts.phase, parts.outcome, parts.reason, found),
      })),
    ),
);

function eventsOf(
  id: string,
  phase: string,
  how: CheckOutcome,
  reason: string,
  found: Counterexample,
): readonly RunEvent[] {
  const result = how === 'failed' || how === 'warned' ? { counterexample: found } : how === 'passed' ? {} : { reason };
  const all = [checkStarted(id), delivered({ check: id }), checkFinished(id, how, result)];
  return phase === 'none' ? [] : phase === 'began' ? all.slice(0, 2) : all;
}

const ending = fc.constantFrom<readonly RunEvent[]>(
  [finished()],
  [finished({ complete: false, interrupted: true })],
  [{ type: 'target.lost', ms: 5, reason: 'gone\u001b[1m', advice: 'start it\0' }, finished({ complete: false })],
  [
    { type: 'kit.errored', ms: 5, where: 'engine', message: 'a bug\u0007', stack: 'Error: a bug\u0007\n    at x' },
    finished(),
  ],
  [],
);

/** Runs of any kind and any end, with hostile text wherever a target or a case can put it. */
export const generatedRun: fc.Arbitrary<readonly RunEvent[]> = fc
  .record({
    strict: fc.boolean(),
    levels: fc.tuple(level, level, level, level, level),
    checks: fc.uniqueArray(aCheck, { maxLength: 8, selector: ({ announced }) => announced.id }),
    observed: fc.array(fc.record({ value: hostile, evidence: hostile }), { maxLength: 3 }),
    control: anAttempt,
    accepted: fc.boolean(),
    ending,
  })
  .map(({ strict, levels, checks, observed, control, accepted, ending: end }) => [
    started({
      run: { ...started().run, strict },
      checks: checks.map(({ announced }) => announced),
      requirements: names.map((id, index) => requirement(id, '1.2', levels[index] ?? 'must', `statement of ${id}`)),
    }),
    { type: 'control.finished', ms: 2, accepted, attempt: control },
    ...checks.flatMap(({ events }) => events),
    ...observed.map((parts) => ({ type: 'observed', ms: 3, gap: 'GAP-14', ...parts }) as const),
    ...end,
  ]);
