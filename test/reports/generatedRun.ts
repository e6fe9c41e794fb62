import fc from 'fast-check';

import type {
  CheckOutcome,
  ProcessChange,
  Moment,
  ReportedCaught,
  ReportedExchange,
  RunEvent,
} from '../../reports/model/events.ts';
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
import { called, caught, caughtShort, opinion, serviceStarted } from './madeUpServiceRun.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';

/** What a hostile target may put into its answers, or a case into its bodies. */
export const hostile = fc.oneof(
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

/** Attempts that a service made: hostile in all that comes from it. */
const aCaught = fc
  .record({
    text: hostile,
    from: hostile,
    answered: hostile,
    url: fc.oneof(hostile, fc.constant('http://127.0.0.1:4000/a')),
    number: fc.integer({ min: 1, max: 13 }),
    at: fc.nat(100_000),
    headers: fc.array(fc.tuple(hostile, hostile), { maxLength: 3 }),
  })
  .map(({ text, url, headers, from, number, at, answered: how }): ReportedCaught => {
    const { request, ...rest } = caught(number, at, how, text);
    return { ...rest, from, request: { ...request, url, headers } };
  });

/** What may stand in a finding: deliveries of the kit, or calls and deliveries of a service with their times. */
const exchangesOf = {
  receiver: anAttempt as fc.Arbitrary<ReportedExchange>,
  service: fc.oneof(
    anAttempt,
    fc.tuple(anAttempt, fc.nat(100_000)).map(([sent, at]) => ({ ...sent, at })),
    aCaught,
  ) as fc.Arbitrary<ReportedExchange>,
};

type Kind = keyof typeof exchangesOf;

const aChange = fc.constantFrom<ProcessChange>('started', 'killed', 'stopping', 'stopped', 'paused', 'resumed', 'died');

/** What was done and seen in a case, hostile in all that comes from the target. */
const aMoment = fc.record<Moment, 'ms' | 'what'>(
  {
    ms: fc.nat(100_000),
    what: fc.oneof(aChange, fc.constantFrom('sent', 'answered', 'broken', 'timed-out', 'note')),
    id: hostile,
    detail: hostile,
  },
  { requiredKeys: ['ms', 'what'] },
);

/** What is said of a target that the kit started. */
const processEvents = fc
  .record({
    deaths: fc.array(fc.record({ change: aChange, detail: hostile, said: fc.array(hostile, { maxLength: 3 }) }), {
      maxLength: 6,
    }),
    tail: fc.array(hostile, { maxLength: 20 }),
    file: fc.option(hostile, { nil: undefined }),
  })
  .map(({ deaths, tail, file }): readonly RunEvent[] => [
    ...deaths.map((parts) => ({ type: 'life.changed', ms: 5, check: 'control', case: 0, ...parts }) as const),
    { type: 'target.said', ms: 6, tail, ...(file !== undefined && { file }) },
  ]);

export function aCounterexample(requirements: readonly string[], kind: Kind): fc.Arbitrary<Counterexample> {
  const anExchange = exchangesOf[kind];
  return fc
    .record({
      texts: fc.record({ summary: hostile, expected: hostile, actual: hostile, hint: hostile, curl: hostile }),
      named: fc.subarray([...requirements]),
      exchange: fc.record(
        {
          attempts: fc.array(anExchange, { maxLength: 20 }),
          twin: anExchange,
          difference: hostile,
          effects: fc.array(fc.record({ id: hostile, expected: fc.nat(3), actual: fc.nat(3) }), { maxLength: 2 }),
        },
        { requiredKeys: ['attempts'] },
      ),
      kept: fc.record({ timeline: fc.array(aMoment, { maxLength: 60 }), file: hostile }, { requiredKeys: [] }),
    })
    .map(({ texts, named, exchange, kept }) => counterexample({ ...texts, requirements: named, exchange, ...kept }));
}

export const names = ['A-1', 'A-2', 'B-1', 'B-2', 'B-3'] as const;

/** A check and all its events; some have begun only, some not even that. */
const aCheck = (kind: Kind) =>
  fc.integer({ min: 0, max: 999 }).chain((number) =>
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
        aCounterexample(parts.ids, kind).map((found) => ({
          announced: check(`t${number % 3}/check-${number}`, parts.title, parts.ids, parts.level),
          events: eventsOf(kind, `t${number % 3}/check-${number}`, parts.phase, parts.outcome, parts.reason, found),
        })),
      ),
  );

function eventsOf(
  kind: Kind,
  id: string,
  phase: string,
  how: CheckOutcome,
  reason: string,
  found: Counterexample,
): readonly RunEvent[] {
  const result = how === 'failed' || how === 'warned' ? { counterexample: found } : how === 'passed' ? {} : { reason };
  const wire = kind === 'receiver' ? [delivered({ check: id })] : [called({ check: id }), caughtShort({ check: id })];
  const began = [checkStarted(id), ...wire];
  return phase === 'none' ? [] : phase === 'began' ? began : [...began, checkFinished(id, how, result)];
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

/** What only a run against a service says. */
const serviceEvents = fc
  .record({
    learned: fc.array(fc.record({ key: hostile, value: hostile, evidence: hostile }), { maxLength: 3 }),
    differed: fc.array(fc.tuple(hostile, fc.constantFrom('request', 'response'), hostile, hostile, hostile), {
      maxLength: 12,
    }),
    compared: fc.option(fc.nat(5000), { nil: undefined }),
    left: fc.array(hostile, { maxLength: 12 }),
  })
  .map(({ learned, differed, compared, left }): readonly RunEvent[] => [
    ...learned.map((parts) => ({ type: 'learned', ms: 4, gap: 'GAP-14', ...parts }) as const),
    ...differed.map((parts) => opinion(...parts)),
    ...(compared === undefined
      ? []
      : [{ type: 'opinion.finished', ms: 5, compared, differed: differed.length } as const]),
    { type: 'left.over', ms: 6, what: left },
  ]);

const starts = { receiver: started, service: serviceStarted };

function runAgainst(kind: Kind): fc.Arbitrary<readonly RunEvent[]> {
  return fc
    .record({
      strict: fc.boolean(),
      leftOut: fc.subarray(['ids of deliveries', 'a time of creation as a text (RFC 3339)', 'retries']),
      levels: fc.tuple(level, level, level, level, level),
      binding: fc.boolean(),
      checks: fc.uniqueArray(aCheck(kind), { maxLength: 8, selector: ({ announced }) => announced.id }),
      observed: fc.array(fc.record({ value: hostile, evidence: hostile }), { maxLength: 3 }),
      control: exchangesOf[kind],
      accepted: fc.boolean(),
      more: fc.oneof(kind === 'receiver' ? fc.constant([]) : serviceEvents, processEvents),
      ending,
    })
    .map(({ strict, leftOut, levels, binding, checks, observed, control, accepted, more, ending: end }) => [
      starts[kind]({
        run: { ...started().run, strict },
        contract: { ...started().contract, ...(leftOut.length > 0 && { leftOut }) },
        checks: checks.map(({ announced }) => announced),
        requirements: names.map((id, index) => ({
          ...requirement(id, '1.2', levels[index] ?? 'must', `statement of ${id}`),
          ...(binding && levels[index] === 'may' && { binding }),
        })),
      }),
      { type: 'control.finished', ms: 2, accepted, attempt: control },
      ...checks.flatMap(({ events }) => events),
      ...observed.map((parts) => ({ type: 'observed', ms: 3, gap: 'GAP-14', ...parts }) as const),
      ...more,
      ...end,
    ]);
}

/** Runs of any kind and any end, with hostile text wherever a target or a case can put it. */
export const generatedRun: fc.Arbitrary<readonly RunEvent[]> = fc.oneof(runAgainst('receiver'), runAgainst('service'));
