import { describe, expect, test } from 'vitest';

import { endCheck } from '../../../runner/engine/checkEnd.ts';
import type { RunEnd, UntimedEvent } from '../../../runner/engine/eventStream.ts';
import type { PropertyResult } from '../../../runner/engine/propertyRun.ts';
import type { Failure, Found } from '../../../runner/engine/trial.ts';
import type { Counterexample } from '../../../reports/model/exchange.ts';
import { loadContract } from '../../../spec/contract.ts';

type Result = PropertyResult<Found>;
type Context = Parameters<typeof endCheck>[0];

const check = { id: 'receiver/a/b', requirements: ['VRF-2', 'VRF-4'] };
const whole: Result = { cases: 3, planned: 3, tried: [], ended: false };
const [must, should] = ['VRF-2', 'VRF-4'].map((id) => {
  return { finding: { requirements: [id], absence: false, actual: '' } } as unknown as Failure<Found>;
});

function ended(result: Partial<Result>, run: { readonly endedBy?: RunEnd } & Partial<Context['plan']> = {}) {
  const { endedBy, ...plan } = run;
  const events: UntimedEvent[] = [];
  const ends: RunEnd[] = [];
  const context: Context = {
    plan: { contract: loadContract(), bail: false, ...plan },
    elapsed: () => 1500,
    emit: (event) => void events.push(event),
    end: (end) => void ends.push(end),
    endedBy,
  };
  const property = { result: { ...whole, ...result }, began: 1000 };
  endCheck(context, check, property, () => ({ summary: 'so' }) as Counterexample);
  const [{ type: _, check: _id, durationMs: _ms, ...said }] = events as unknown as [Record<string, unknown>];
  return { said, events, ends };
}

const cutShort = (untried: number): NonNullable<Result['cutShort']> => ({ planned: 9, kinds: 3, untried });
const byTime: RunEnd = { reason: 'the time was over', cause: 'time' };

describe('a check ends', () => {
  test.each<[result: Partial<Result>, said: object]>([
    [{}, { outcome: 'passed', cases: 3 }],
    [{ failure: must! }, { outcome: 'failed', cases: 3, counterexample: { summary: 'so' } }],
    [{ failure: should! }, { outcome: 'warned', cases: 3, counterexample: { summary: 'so' } }],
    [{ error: new Error('no') }, { outcome: 'errored', cases: 3, reason: 'a fault of the kit: no' }],
    [{ unproven: 'no twin' }, { outcome: 'inconclusive', cases: 3, reason: 'no twin' }],
    [
      { unproven: 'no twin', unconfirmed: should!.finding },
      { outcome: 'inconclusive', cases: 3, reason: 'no twin', unconfirmed: should!.finding.requirements },
    ],
    [
      {
        unproven: 'no twin',
        unconfirmed: should!.finding,
        tried: [{ case: must!.case, trial: { kind: 'unproven', reason: 'no twin', final: true, doubts: ['X-1'] } }],
      },
      { outcome: 'inconclusive', cases: 3, reason: 'no twin', unconfirmed: [...should!.finding.requirements, 'X-1'] },
    ],
    [
      { unproven: 'no twin', unusable: true },
      { outcome: 'inconclusive', cases: 3, reason: 'no twin', unanswered: true },
    ],
    [{ unusable: true }, { outcome: 'passed', cases: 3 }],
    [{ unobservable: 'no probe' }, { outcome: 'not-observable', cases: 3, reason: 'no probe' }],
    [
      { cases: 0, planned: 0 },
      { outcome: 'not-observable', cases: 0, reason: expect.stringMatching(/nothing to try/) },
    ],
    [{ cases: 0 }, { outcome: 'inconclusive', cases: 0, reason: 'no case of it came to an end' }],
    [{ ended: true }, { outcome: 'inconclusive', cases: 3, reason: 'no case of it came to an end' }],
  ])('%j: %j', (result, said) => {
    expect(ended(result).said).toEqual(said);
  });

  test('with how much of it the time was too short for', () => {
    const timeLimit = 60_000;
    expect(ended({ cutShort: cutShort(2) }, { timeLimit }).said).toEqual({
      outcome: 'inconclusive',
      cases: 3,
      planned: 9,
      untriedKinds: 2,
      reason:
        'the time of the run was over before 2 of its 3 kinds of case were tried: give it longer than 1 min (--time)',
    });
    expect(ended({ ended: true, cutShort: cutShort(0) }, { timeLimit, endedBy: byTime }).said).toEqual({
      outcome: 'passed',
      cases: 3,
      planned: 9,
    });
  });

  test('with an event of its own where the kit failed', () => {
    const { events } = ended({ error: new Error('no') });
    expect(events[1]).toMatchObject({ type: 'kit.errored', where: check.id, message: 'no', stack: expect.any(String) });
  });
});

describe('under --bail the run ends', () => {
  const known = [{ id: check.id, reason: 'known' }];

  test.each<[result: Partial<Result>, plan: Partial<Context['plan']>, ends: number]>([
    [{ failure: must! }, {}, 1],
    [{ failure: must! }, { bail: false }, 0],
    [{ failure: must! }, { expectations: known }, 0],
    [{ failure: should! }, {}, 0],
    [{ error: new Error('no') }, { expectations: known }, 1],
    [{}, {}, 0],
  ])('%j, %j: %i', (result, plan, ends) => {
    expect(ended(result, { bail: true, ...plan }).ends).toHaveLength(ends);
  });
});
