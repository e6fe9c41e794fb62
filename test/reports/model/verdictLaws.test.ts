import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { CheckFinished, CheckOutcome, RunEvent, RunStarted } from '../../../reports/model/events.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { verdictSentence } from '../../../reports/model/verdict.ts';
import { arbitraryRun } from '../arbitraryRun.ts';
import { check, checkFinished, checkStarted, counterexample, finished, requirement, started } from '../madeUpRun.ts';

const ids = ['A-1', 'A-2', 'B-1'] as const;
const checks = ['t/one', 't/two', 't/three'] as const;
const outcomes: readonly CheckOutcome[] = ['passed', 'failed', 'warned', 'not-observable', 'inconclusive', 'errored'];

const someIds = fc.subarray<string>([...ids]);

const aBeginning: fc.Arbitrary<RunStarted> = fc
  .record({
    levels: fc.tuple(...ids.map(() => fc.constantFrom('must', 'should', 'may'))),
    required: someIds,
    about: fc.tuple(...checks.map(() => fc.subarray<string>([...ids], { minLength: 1 }))),
    strict: fc.boolean(),
    expected: fc.subarray<string>([...ids, ...checks]),
  })
  .map(({ levels, required, about, strict, expected }) =>
    started({
      run: { id: 'run-1', seed: 1, intensity: 'standard', strict },
      requirements: ids.map((id, at) => ({
        ...requirement(id, '1', levels[at]!, id),
        ...(required.includes(id) && { required: true as const }),
      })),
      checks: checks.map((id, at) => check(id, id, about[at]!)),
      ...(expected.length > 0 && { expectations: expected.map((id) => ({ id, reason: 'known' })) }),
    }),
  );

const aResult: fc.Arbitrary<CheckFinished> = fc
  .record({
    id: fc.constantFrom(...checks),
    outcome: fc.constantFrom(...outcomes),
    named: someIds,
    shown: fc.option(someIds, { nil: undefined }),
    untriedKinds: fc.constantFrom(undefined, 0, 2),
    unconfirmed: fc.option(someIds, { nil: undefined }),
    unanswered: fc.constantFrom(undefined, true),
    died: fc.boolean(),
  })
  .map(({ id, outcome, named, shown, untriedKinds, unconfirmed, unanswered, died }) =>
    checkFinished(id, outcome, {
      ...(isFailure(outcome) && {
        counterexample: counterexample({ requirements: named, ...(died && { died: true as const }) }),
        ...(shown && { shown: shown.filter((each) => !named.includes(each) && named.length > 0) }),
      }),
      ...(untriedKinds !== undefined && { untriedKinds }),
      ...(unconfirmed && outcome === 'inconclusive' && { unconfirmed }),
      ...(unanswered && !isFailure(outcome) && outcome !== 'passed' && { unanswered }),
    }),
  );

/** Whatever else may come, at any moment and any number of times. */
const anEvent: fc.Arbitrary<RunEvent> = fc.oneof(
  { weight: 8, arbitrary: aResult },
  { weight: 3, arbitrary: fc.constantFrom(...checks).map((id) => checkStarted(id)) },
  {
    weight: 3,
    arbitrary: fc
      .record({ complete: fc.boolean(), interrupted: fc.boolean() })
      .map(({ complete, interrupted }) => finished({ complete: complete && !interrupted, interrupted })),
  },
  fc.constantFrom<RunEvent>(
    { type: 'target.lost', ms: 5, reason: 'gone', advice: '' },
    { type: 'probe.failed', ms: 5, reason: 'no', advice: '' },
    { type: 'kit.errored', ms: 5, where: 'engine', message: 'a bug' },
    { type: 'kit.errored', ms: 5, where: 'report', message: 'a full disk', code: 'SW_REPORT_WRITE' },
    { type: 'life.changed', ms: 5, check: 't/one', case: 0, change: 'died' },
  ),
);

const anySequence: fc.Arbitrary<readonly RunEvent[]> = fc
  .tuple(aBeginning, fc.array(anEvent, { maxLength: 9 }))
  .map(([first, others]) => [first, ...others.map((event) => agreeing(event, others))]);

/** A check that is said to fail several times finds the same each time. */
function agreeing(event: RunEvent, others: readonly RunEvent[]): RunEvent {
  if (event.type !== 'check.finished' || event.counterexample === undefined) return event;
  const first = others.find(
    (each) => each.type === 'check.finished' && each.check === event.check && each.counterexample,
  );
  return first?.type === 'check.finished' ? { ...first, outcome: event.outcome } : event;
}

/** What a run does that comes to its end, and is in no doubt. */
const aWholeRun: fc.Arbitrary<readonly RunEvent[]> = fc
  .tuple(aBeginning, fc.tuple(...checks.map(() => aResult)))
  .map(([first, results]) => [first, ...results.map((each, at) => ({ ...each, check: checks[at]! })), finished()]);

function isFailure(outcome: CheckOutcome): boolean {
  return outcome === 'failed' || outcome === 'warned';
}

interface Facts {
  readonly begun: RunStarted;
  readonly results: readonly CheckFinished[];
  /** The requirements that a result says are broken. */
  readonly broken: ReadonlySet<string>;
  /** Those that a result shows to hold. */
  readonly shown: ReadonlySet<string>;
  readonly has: (type: RunEvent['type']) => boolean;
}

/** What the events themselves say, each taken alone. */
function factsOf(events: readonly RunEvent[]): Facts {
  const [begun] = events;
  if (begun?.type !== 'run.started') throw new TypeError('a run begins with its beginning');
  const about = new Map(begun.checks.map(({ id, requirements }) => [id, requirements]));
  const results = events.flatMap((event) => (event.type === 'check.finished' ? [event] : []));
  const brokenBy = ({ check: id, outcome, counterexample: found }: CheckFinished) =>
    !isFailure(outcome)
      ? []
      : found !== undefined && found.requirements.length > 0
        ? found.requirements
        : about.get(id)!;
  return {
    begun,
    results,
    broken: new Set(results.flatMap(brokenBy)),
    shown: new Set(
      results.flatMap((each) => (each.outcome === 'passed' ? about.get(each.check)! : (each.shown ?? []))),
    ),
    has: (type) => events.some((event) => event.type === type),
  };
}

/** Which laws a summary breaks; those of a search, whose failures are events of their own, are left out. */
function brokenLaws(events: readonly RunEvent[], summary: RunSummary): readonly string[] {
  const { begun, results, broken, shown, has } = factsOf(events);
  const code = exitCode(summary);
  const { requirements, verdict } = summary;
  const holding = requirements.filter(({ outcome }) => outcome === 'holds').map(({ id }) => id);
  const musts = begun.requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
  const expected = new Set(begun.expectations?.map(({ id }) => id));
  const failing = results.filter(({ outcome }) => isFailure(outcome));
  const surprising = musts.filter(
    (id) => broken.has(id) && !expected.has(id) && !failing.some((each) => expected.has(each.check)),
  );
  const doubted = new Set(summary.checks.flatMap(({ unconfirmed = [] }) => unconfirmed));
  const inError = results.some(
    (each) => each.outcome === 'errored' && !failing.some((other) => other.check === each.check),
  );
  const ends = events.flatMap((event) => (event.type === 'run.finished' ? [event] : []));
  const isWhole = ends.length > 0 && ends.every(({ complete }) => complete);
  const open = requirements.filter((row) => row.required && !['holds', 'broken'].includes(row.outcome));
  const laws: Readonly<Record<string, boolean>> = {
    'what holds was shown': holding.every((id) => shown.has(id)),
    'what holds was not seen broken': holding.every((id) => !doubted.has(id)),
    'what holds is not broken': holding.every((id) => !broken.has(id)),
    'what is broken was found': requirements.every(({ id, outcome }) => outcome !== 'broken' || broken.has(id)),
    'what was found is broken': requirements.every(({ id, outcome }) => outcome === 'broken' || !broken.has(id)),
    'a target conforms where all its MUSTs hold': verdict !== 'conforms' || musts.every((id) => holding.includes(id)),
    'a target conforms where there is a MUST': verdict !== 'conforms' || musts.length > 0,
    'a target conforms after a whole run': verdict !== 'conforms' || isWhole,
    'a broken MUST is no conformance': !musts.some((id) => broken.has(id)) || verdict === 'does-not-conform',
    'no 0 where a MUST is broken that nobody expected': code !== 0 || surprising.length === 0,
    'no 0 where nothing was observed':
      code !== 0 || results.some(({ outcome }) => outcome === 'passed' || isFailure(outcome)),
    'no 0 where what is required was not observed': code !== 0 || open.length === 0,
    'no 0 where a check is in error': code !== 0 || !inError,
    'no 0 where the run has no end': code !== 0 || isWhole,
    'no 0 where the target or the kit was lost': code !== 0 || !(has('target.lost') || has('kit.errored')),
    'an interruption is 130': !ends.some(({ interrupted }) => interrupted) || code === 130,
    'the sentence says the verdict': verdict === 'conforms' || !verdictSentence(summary).startsWith('conforms'),
  };
  return Object.entries(laws).flatMap(([law, isKept]) => (isKept ? [] : [law]));
}

describe('verdicts and exit codes', () => {
  it.each([
    ['any sequence of events', anySequence],
    ['whole runs', aWholeRun],
    ['runs with hostile texts', arbitraryRun.filter(([first]) => first?.type === 'run.started' && !first.search)],
  ])('keep the laws over %s', (_, sequences) => {
    fc.assert(
      fc.property(sequences, (events) => {
        expect(brokenLaws(events, summarise(events))).toEqual([]);
      }),
      { numRuns: sequences === anySequence ? 2000 : 200 },
    );
  });

  it('come in every kind over these sequences', () => {
    const summaries = fc.sample(fc.oneof(anySequence, aWholeRun), { numRuns: 3000, seed: 1 }).map(summarise);
    expect([...new Set(summaries.map(exitCode))].toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 70, 130]);
    expect([...new Set(summaries.map(({ verdict }) => verdict))].toSorted()).toEqual([
      'conforms',
      'does-not-conform',
      'inconclusive',
    ]);
  });

  it('are no better with a failure more', () => {
    const merit = { 'does-not-conform': 0, inconclusive: 1, conforms: 2 } as const;
    fc.assert(
      fc.property(aWholeRun, fc.constantFrom(...checks), (events, id) => {
        const worse = events.map((event) =>
          event.type === 'check.finished' && event.check === id && !isFailure(event.outcome)
            ? checkFinished(id, 'failed', event.unconfirmed && { unconfirmed: event.unconfirmed })
            : event,
        );
        const [before, after] = [summarise(events), summarise(worse)];
        expect(merit[after.verdict]).toBeLessThanOrEqual(merit[before.verdict]);
      }),
      { numRuns: 500 },
    );
  });

  const begun = started({
    requirements: [requirement('A-1', '1', 'must', 'A-1')],
    checks: [check('t/one', 'one', ['A-1'])],
  });
  const right = [begun, checkFinished('t/one', 'passed'), finished()];

  it.each<readonly [string, (summary: RunSummary) => RunSummary, readonly RunEvent[], string]>([
    [
      'a pass out of nothing',
      (summary) => ({ ...summary, verdict: 'conforms' }),
      [begun, finished()],
      'a target conforms where all its MUSTs hold',
    ],
    [
      'a pass of a run without an end',
      (summary) => ({ ...summary, verdict: 'conforms' }),
      right.slice(0, 2),
      'a target conforms after a whole run',
    ],
    [
      'a failure that is forgotten',
      () => summarise(right),
      [begun, checkFinished('t/one', 'failed'), finished()],
      'what was found is broken',
    ],
    [
      'an interruption that is forgotten',
      () => summarise(right),
      [...right.slice(0, 2), finished({ complete: false, interrupted: true })],
      'an interruption is 130',
    ],
    [
      'a failure that is made up',
      (summary) => ({ ...summary, requirements: summary.requirements.map((row) => ({ ...row, outcome: 'broken' })) }),
      right,
      'what is broken was found',
    ],
  ])('break a law with %s', (_, lie, events, law) => {
    expect(brokenLaws(events, summarise(events))).toEqual([]);
    expect(brokenLaws(events, lie(summarise(events)))).toContain(law);
  });
});
