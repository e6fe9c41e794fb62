import { describe, expect, it } from 'vitest';

import type { LeftOutCheck, ReportedAnswer, RunEvent, RunStarted } from '../../../reports/model/events.ts';
import { exitCode, unanswered, unexplainedDeaths } from '../../../reports/model/exitCode.ts';
import { expectationsOf } from '../../../reports/model/expectations.ts';
import { shownRequirements, unobservedRequired } from '../../../reports/model/requirementOutcome.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { countsAsFailure, signedOutcome, verdictSentence } from '../../../reports/model/verdict.ts';
import {
  answered,
  attempt,
  check,
  checkFinished,
  counterexample,
  finished,
  requirement,
  started,
} from '../madeUpRun.ts';

const passed = checkFinished('t/one', 'passed');
const unseen = checkFinished('t/two', 'not-observable', { reason: 'needs --probe' });
const open = checkFinished('t/two', 'inconclusive', { reason: 'no time' });
const broken = checkFinished('t/two', 'failed');
const weak = checkFinished('t/two', 'warned');
const dead = checkFinished('t/two', 'warned', { counterexample: counterexample({ requirements: [], died: true }) });
const died: RunEvent = { type: 'life.changed', ms: 5, check: 't/one', case: 0, change: 'died' };
const probeFailed: RunEvent = { type: 'probe.failed', ms: 5, reason: 'no', advice: '' };

const bug: RunEvent = { type: 'kit.errored', ms: 5, where: 'engine', message: 'a bug' };
const search = { untilFailure: false, feedback: true };
const unwritten: RunEvent = { ...bug, where: 'report', code: 'SW_REPORT_WRITE' };

/** A run of two checks: `t/one` about `A-1`, a MUST, and `t/two` about `B-1`. */
function runOf(
  events: readonly RunEvent[],
  { level = 'must', ...parts }: Partial<RunStarted> & { readonly level?: 'must' | 'should' | 'may' } = {},
): RunSummary {
  const beginning = started({
    requirements: [requirement('A-1', '1', 'must', 'A'), requirement('B-1', '1', level, 'B')],
    checks: [check('t/one', 'one', ['A-1']), check('t/two', 'two', ['B-1'])],
    ...parts,
  });
  return summarise([beginning, ...events]);
}

const strict = { run: { id: 'run-1', seed: 1, intensity: 'standard', strict: true } } as const;
const known = { expectations: [{ id: 'B-1', reason: 'known' }] };
const other = checkFinished('t/two', 'passed');

describe('the verdict and the exit code', () => {
  it.each<readonly [string, () => RunSummary, string, number]>([
    ['a report cannot be written', () => runOf([passed, other, unwritten, finished()]), 'conforms', 2],
    ['the kit has a bug', () => runOf([passed, other, bug, finished()]), 'conforms', 70],
    ['a search finds nothing', () => runOf([passed, other, finished()], { search }), 'inconclusive', 3],
    ['all MUSTs hold', () => runOf([passed, other, finished()]), 'conforms', 0],
    ['a MUST is not observed', () => runOf([passed, unseen, finished()]), 'inconclusive', 0],
    ['a SHOULD is not observed', () => runOf([passed, unseen, finished()], { level: 'should' }), 'conforms', 0],
    ['a MUST is broken', () => runOf([passed, broken, finished()]), 'does-not-conform', 1],
    ['a MUST is broken, as expected', () => runOf([passed, broken, finished()], known), 'does-not-conform', 0],
    ['a SHOULD is broken', () => runOf([passed, weak, finished()], { level: 'should' }), 'conforms', 0],
    [
      'a SHOULD is broken, strictly',
      () => runOf([passed, weak, finished()], { level: 'should', ...strict }),
      'does-not-conform',
      1,
    ],
    ['a MAY is broken, strictly', () => runOf([passed, weak, finished()], { level: 'may', ...strict }), 'conforms', 0],
    [
      'the target dies of a SHOULD',
      () => runOf([passed, dead, died, finished()], { level: 'should' }),
      'does-not-conform',
      1,
    ],
    ['the target dies, of what is not known', () => runOf([passed, other, died, finished()]), 'inconclusive', 3],
    ['the target goes away', () => runOf([passed, other, { ...died, change: 'lost' }, finished()]), 'inconclusive', 3],
    [
      'the target is killed by the kit',
      () => runOf([passed, other, { ...died, change: 'killed' }, finished()]),
      'conforms',
      0,
    ],
    ['the probe fails, and a check is open', () => runOf([passed, open, probeFailed, finished()]), 'inconclusive', 3],
    ['the run has no end', () => runOf([passed, other]), 'inconclusive', 3],
    ['nothing is observed', () => runOf([unseen, finished()]), 'inconclusive', 3],
    ['nothing is decided', () => runOf([open, finished()]), 'inconclusive', 3],
    ['only a SHOULD is warned about', () => runOf([weak, finished()], { level: 'should' }), 'inconclusive', 0],
    [
      'there is no MUST',
      () => runOf([passed, finished()], { requirements: [requirement('A-1', '1', 'may', 'A')] }),
      'inconclusive',
      0,
    ],
    [
      'a failure was neither confirmed nor ruled out',
      () => runOf([passed, { ...other, outcome: 'inconclusive', unconfirmed: ['A-1'] }, finished()]),
      'inconclusive',
      0,
    ],
    [
      'not every kind of case was tried',
      () => runOf([passed, { ...other, untriedKinds: 1 }, finished()]),
      'inconclusive',
      0,
    ],
  ])('%s', (_, run, verdict, code) => {
    const summary = run();
    expect([summary.verdict, exitCode(summary)]).toEqual([verdict, code]);
  });

  it('says what counts as a failure, and whose sign a requirement has', () => {
    const should = { level: 'should' } as const;
    const [row] = runOf([passed, weak, finished()], should).requirements.slice(1);
    expect([signedOutcome(row!, false), signedOutcome(row!, true)]).toEqual(['warned', 'broken']);
    expect(signedOutcome({ ...row!, outcome: 'holds' }, false)).toBe('holds');
    const counts = (summary: RunSummary) => summary.checks.map((each) => countsAsFailure(each, summary));
    expect(counts(runOf([passed, broken, finished()]))).toEqual([false, true]);
    expect(counts(runOf([passed, weak, finished()], should))).toEqual([false, false]);
    expect(counts(runOf([passed, weak, finished()], { ...should, ...strict }))).toEqual([false, true]);
  });

  it('counts a death as explained where a check shows what the target died of', () => {
    expect(unexplainedDeaths(runOf([passed, other, died, finished()]))).toEqual([died]);
    expect(unexplainedDeaths(runOf([passed, dead, died, finished()]))).toEqual([]);
    expect(unexplainedDeaths(runOf([passed, weak, died, finished()]))).toEqual([died]);
  });
});

/** A run of `t/one` alone. */
function partOf(
  events: readonly RunEvent[],
  leftOut: readonly LeftOutCheck[],
  more: Partial<RunStarted> = {},
): RunSummary {
  return runOf([...events, finished()], { checks: [check('t/one', 'one', ['A-1'])], leftOut, ...more });
}

const leftOut = { id: 't/two', requirements: ['B-1'] };
const elsewhere = { ...leftOut, part: 2 };

describe('a part of a run', () => {
  it('says that what was chosen passed', () => {
    expect(verdictSentence(partOf([passed], [leftOut]))).toBe(
      'passed: the one check that was chosen passed; 1 of 2 MUSTs observed, none broken',
    );
    const three = { checks: [check('t/one', 'one', ['A-1']), check('t/three', 'three', ['A-1'])] };
    expect(verdictSentence(partOf([passed, checkFinished('t/three', 'passed')], [leftOut], three))).toBe(
      'passed: all 2 checks that were chosen passed; 1 of 2 MUSTs observed, none broken',
    );
    expect(verdictSentence(partOf([passed, checkFinished('t/three', 'inconclusive')], [leftOut], three))).toBe(
      'inconclusive: 1 of 2 MUSTs observed, none broken',
    );
    const part = partOf([passed], [leftOut]);
    const requirements = part.requirements.map((row) => (row.id === 'B-1' ? { ...row, required: true as const } : row));
    expect(verdictSentence({ ...part, requirements })).toBe(
      'inconclusive: 1 of 2 MUSTs observed, none broken; required and not observed: B-1',
    );
    expect(verdictSentence(runOf([passed, finished({ complete: false })], { leftOut: [leftOut] }))).toMatch(
      /^inconclusive/,
    );
  });

  it('says which part it is', () => {
    const shard = { run: { ...strict.run, shard: { index: 1, count: 3 } } };
    expect(verdictSentence(partOf([passed], [elsewhere], shard))).toBe(
      'part 1 of 3: none broken; 1 of 2 MUSTs observed in this part',
    );
  });

  it.each<readonly [string, readonly LeftOutCheck[], string]>([
    ['left out', [leftOut], 'its checks were left out by --only or --skip'],
    ['in another part', [elsewhere], 'its checks are in part 2 of the run (--shard)'],
    [
      'in several',
      [{ ...elsewhere, part: 3 }, elsewhere, elsewhere],
      'its checks are in parts 2 and 3 of the run (--shard)',
    ],
    ['nowhere', [{ id: 't/four', requirements: ['A-1'] }], 'no check is about it'],
  ])('says why a requirement is not observed whose checks are %s', (_, others, reason) => {
    expect(partOf([passed], others).requirements[1]).toMatchObject({ id: 'B-1', outcome: 'not-observed', reason });
  });

  it('speaks of what was chosen alone, and leaves to other parts what they have', () => {
    expect(shownRequirements(partOf([passed], [leftOut])).map(({ id }) => id)).toEqual(['A-1']);
    expect(shownRequirements(runOf([passed, finished()])).map(({ id }) => id)).toEqual(['A-1', 'B-1']);
    const requirements = [requirement('B-1', '1', 'must', 'B')].map((row) => ({ ...row, required: true as const }));
    expect(unobservedRequired(partOf([passed], [leftOut], { requirements })).map(({ id }) => id)).toEqual(['B-1']);
    expect(unobservedRequired(partOf([passed], [elsewhere], { requirements }))).toEqual([]);
    expect(
      unobservedRequired(partOf([passed], [{ ...elsewhere, requirements: ['A-1'] }], { requirements })),
    ).toHaveLength(1);
  });

  it('leaves an expectation to the part that has its check', () => {
    const outcomes = (entry: LeftOutCheck, id: string) =>
      partOf([passed], [entry], { expectations: [{ id, reason: 'known' }] }).expectations?.map(
        ({ outcome }) => outcome,
      );
    expect([outcomes(elsewhere, 'B-1'), outcomes(elsewhere, 't/two'), outcomes(leftOut, 'B-1')]).toEqual([
      ['elsewhere'],
      ['elsewhere'],
      ['left-out'],
    ]);
    expect(exitCode(partOf([passed], [elsewhere], known))).toBe(0);
    expect(exitCode(partOf([passed], [leftOut], known))).toBe(1);
  });
});

describe('why a requirement is undecided', () => {
  const about = { checks: [check('t/one', 'one', ['A-1', 'B-1']), check('t/two', 'two', ['B-1', 'A-1'])] };
  const reasonOf = (...events: readonly RunEvent[]) => runOf([...events, finished()], about).requirements[1]?.reason;

  it('is said of each check that does not show it, each reason once', () => {
    const one = checkFinished('t/one', 'inconclusive', { reason: 'no time' });
    expect(reasonOf(one, open)).toBe('no time');
    expect(reasonOf({ ...one, reason: 'late' }, open)).toBe('late; no time');
    expect(reasonOf(one, unseen)).toBe('no time');
    expect(reasonOf({ ...unseen, check: 't/one' }, unseen)).toBe('needs --probe');
    expect(reasonOf(checkFinished('t/one', 'errored'), unseen)).toBe('no reason was given');
  });

  it('is said where another requirement was in the way, and of nothing that is decided', () => {
    const over = counterexample({ requirements: ['A-1'] });
    const text = 't/two failed over A-1 before it could show this; fix that, and run again';
    expect(reasonOf(passed, { ...broken, counterexample: over })).toBe(text);
    const both = [checkFinished('t/one', 'failed', { counterexample: over }), { ...broken, counterexample: over }];
    expect(reasonOf(...both)).toBe(
      't/one and t/two failed over A-1 before they could show this; fix that, and run again',
    );
    expect(runOf([passed, other, finished()], about).requirements.map((row) => 'reason' in row)).toEqual([
      false,
      false,
    ]);
    expect(reasonOf(passed, broken)).toBeUndefined();
  });
});

describe('what was not answered', () => {
  const control = (answer: ReportedAnswer): RunEvent => ({
    type: 'control.finished',
    ms: 1,
    accepted: false,
    attempt: attempt('{}', answer),
  });

  it('leaves MUSTs open, and the run without an exit code of 0', () => {
    const silent = { ...open, unanswered: true as const };
    expect(unanswered(runOf([passed, silent, finished()]))?.musts.map(({ id }) => id)).toEqual(['B-1']);
    expect(exitCode(runOf([passed, silent, finished()]))).toBe(3);
    expect(unanswered(runOf([passed, silent, finished()], { level: 'should' }))).toBeUndefined();
    expect(unanswered(runOf([passed, open, finished()]))).toBeUndefined();
    expect(unanswered(runOf([passed, { ...unseen, unanswered: true }, finished()]))?.musts).toHaveLength(1);
  });

  it('counts a plain answer that begins and does not end, but none that is only late', () => {
    const late = control({ kind: 'timed-out', ms: 10 });
    const endless = control({ kind: 'timed-out', ms: 10, status: 200 });
    expect(unanswered(runOf([late, passed, other, finished()]))).toBeUndefined();
    expect(unanswered(runOf([endless, passed, other, finished()]))).toMatchObject({
      musts: [],
      control: { accepted: false },
    });
    expect(unanswered(runOf([control(answered(500)), passed, finished()]))).toBeUndefined();
  });
});

it('an expectation that does not hold explains no failure, and one of a part of what a check breaks explains nothing', () => {
  const expired = { expectations: [{ id: 'B-1', reason: 'known', expires: '2020-01-31' }] };
  const summary = runOf([passed, broken, finished()], expired);
  expect([exitCode(summary), summary.checks.map((each) => expectationsOf(each, summary))]).toEqual([1, [[], []]]);
  const both = { ...known, checks: [check('t/one', 'one', ['A-1']), check('t/two', 'two', ['B-1', 'A-1'])] };
  const half = runOf([passed, broken, finished()], both);
  expect([exitCode(half), half.checks.map((each) => expectationsOf(each, half))]).toEqual([1, [[], []]]);
});

it('a passed selection is no search, and ends', () => {
  const cut = runOf([passed, finished({ complete: false })], {
    checks: [check('t/one', 'one', ['A-1'])],
    leftOut: [leftOut],
  });
  expect(verdictSentence(cut)).toBe('inconclusive: 1 of 2 MUSTs observed, none broken');
  const whole = runOf([passed, other, finished()], { leftOut: [{ id: 't/four', requirements: ['A-1'] }] });
  expect(verdictSentence(whole)).toBe('conforms: 2 of 2 MUSTs observed, none broken');
  expect(verdictSentence(runOf([passed, unseen, finished()]))).toBe('inconclusive: 1 of 2 MUSTs observed, none broken');
});

it('an expectation is of a check where all that it breaks was expected', () => {
  const summary = runOf([passed, broken, finished()], known);
  expect(summary.checks.map((each) => expectationsOf(each, summary).map(({ id }) => id))).toEqual([[], ['B-1']]);
  const nothing = runOf([passed, broken, finished()]);
  expect(nothing.checks.map((each) => expectationsOf(each, nothing))).toEqual([[], []]);
  const byCheck = runOf([passed, other, finished()], { expectations: [{ id: 't/two', reason: 'known' }] });
  expect(byCheck.checks.map((each) => expectationsOf(each, byCheck))).toEqual([[], []]);
});
