import fc from 'fast-check';

import type { CheckFinished, FuzzFailed, RunEvent, Expectation } from '../../reports/model/events.ts';
import { aCounterexample, generatedRun, hostile, names } from './generatedRun.ts';
import { check, checkFinished, checkStarted, finished, requirement, started } from './madeUpRun.ts';
import { progressed, searchStarted } from './madeUpSearch.ts';

const ids = names.map((name) => `receiver/fuzz/${name.toLowerCase()}`);

/** A failure that a search found, of a check of {@link ids}. */
const aFound = fc
  .nat(ids.length - 1)
  .chain((at) =>
    fc.record({
      check: fc.constant(ids[at] ?? ''),
      cause: fc.constantFrom('twice', 'lost', 'refused'),
      steps: fc.array(hostile, { minLength: 1, maxLength: 5 }),
      found: fc.integer({ min: 5, max: 40 }),
      rate: fc.record({ failed: fc.nat(10), tries: fc.constant(10) }),
      at: fc.option(fc.nat(60_000), { nil: undefined }),
      outcome: fc.constantFrom<FuzzFailed['outcome']>('failed', 'flaky'),
      counterexample: aCounterexample([names[at] ?? ''], 'receiver'),
    }),
  )
  .map(({ at, ...parts }): FuzzFailed => ({
    type: 'fuzz.failed',
    ms: 2000,
    ...parts,
    ...(at !== undefined && { at }),
  }));

/** How the search says that a check ended: by its failures, else by chance. */
function endsOf(found: readonly FuzzFailed[], passed: readonly boolean[]): readonly CheckFinished[] {
  return ids.map((id, at) => {
    const failure = found.find((event) => event.check === id && event.outcome === 'failed');
    if (failure !== undefined) return checkFinished(id, 'failed', { counterexample: failure.counterexample });
    return passed[at] === true ? checkFinished(id, 'passed') : checkFinished(id, 'not-observable', { reason: 'none' });
  });
}

const aSearch = fc
  .record({
    found: fc.array(aFound, { maxLength: 5 }),
    passed: fc.array(fc.boolean(), { minLength: ids.length, maxLength: ids.length }),
    cases: fc.nat(100_000),
    shrinking: fc.option(fc.nat(3), { nil: undefined }),
  })
  .map(({ found, passed, cases, shrinking }): readonly RunEvent[] => [
    searchStarted({
      checks: ids.map((id, at) => check(id, `statement of ${names[at]}`, [names[at] ?? ''])),
      requirements: names.map((name) => requirement(name, '1.2', 'must', `statement of ${name}`)),
    }),
    ...ids.map((id) => checkStarted(id)),
    ...found,
    progressed({ cases, failures: found.length, ...(shrinking !== undefined && { shrinking }) }),
    ...endsOf(found, passed),
    finished(),
  ]);

/** Entries of `--expect-failures`: about requirements, about checks, about nothing; some of them expired. */
function someExpectations([first]: readonly RunEvent[]): fc.Arbitrary<readonly Expectation[]> {
  const checks = first?.type === 'run.started' ? first.checks.map(({ id }) => id) : [];
  const entry = fc.record<Expectation, 'id' | 'reason'>(
    {
      id: fc.oneof(fc.constantFrom(...names, ...checks), fc.constant('nobody/knows-it')),
      reason: hostile,
      expires: fc.constantFrom('2020-01-31', '2099-01-31'),
      link: hostile,
    },
    { requiredKeys: ['id', 'reason'] },
  );
  return fc.uniqueArray(entry, { maxLength: 4, selector: ({ id }) => id });
}

function expecting(run: readonly RunEvent[], expectations: readonly Expectation[]): readonly RunEvent[] {
  return run.map((event) => (event.type === 'run.started' ? { ...event, expectations } : event));
}

/** The same run with requirements that must be observed (`--require`), and with a probe that fails after the start. */
function requiring(run: readonly RunEvent[], required: readonly string[], reason: string | null): readonly RunEvent[] {
  return run.flatMap((event): readonly RunEvent[] => {
    if (event.type !== 'run.started') return [event];
    const requirements = event.requirements.map((row) =>
      required.includes(row.id) ? { ...row, required: true as const } : row,
    );
    const failed = { type: 'probe.failed', ms: 5, advice: 'Fix it.' } as const;
    return [{ ...event, requirements }, ...(reason === null ? [] : [{ ...failed, reason }])];
  });
}

/**
 * The events of any run: against a receiver or a service, or a search; to its end, broken off, or killed at any moment;
 * with entries of `--expect-failures` or `--require`, or without; hostile text wherever a target, a case or a user can put it.
 */
export const arbitraryRun: fc.Arbitrary<readonly RunEvent[]> = fc
  .oneof({ weight: 3, arbitrary: generatedRun }, { weight: 1, arbitrary: aSearch })
  .chain((run) =>
    fc
      .tuple(
        fc.option(someExpectations(run)),
        fc.option(fc.integer({ min: 1, max: run.length }), { freq: 3 }),
        fc.option(fc.subarray<string>([...names]), { freq: 2 }),
        fc.option(hostile, { freq: 2 }),
      )
      .map(([expectations, end, required, reason]) => {
        const expected = expectations === null ? run : expecting(run, expectations);
        return requiring(expected.slice(0, end ?? run.length), required ?? [], reason);
      }),
  );

/** Many failures and nothing else, for what is bounded. */
export function crowdedRun(count: number, text: string): readonly RunEvent[] {
  const numbers = Array.from({ length: count }, (_, index) => `t/check-${index}`);
  return [
    started({ checks: numbers.map((id) => check(id, text, ['VRF-3'])) }),
    ...numbers.map((id) => checkFinished(id, 'failed', { reason: text })),
    finished(),
  ];
}
