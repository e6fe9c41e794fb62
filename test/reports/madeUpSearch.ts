import type { FuzzFailed, FuzzProgressed, ReportedCheck, RunEvent, RunStarted } from '../../reports/model/events.ts';
import {
  answered,
  attempt,
  check,
  checkFinished,
  checkStarted,
  counterexample,
  finished,
  notification,
  signed,
  started,
} from './madeUpRun.ts';

/** Pieces of searches that never happened, for what reports make of them. */

const checks: readonly ReportedCheck[] = [
  check('receiver/fuzz/idm-2', 'A redelivered notification takes effect once.', ['IDM-2']),
  check('receiver/fuzz/rcv-1', 'Every subscribed event is answered with an accepting status.', ['RCV-1']),
  check('receiver/fuzz/rcv-5', 'What was not accepted is not answered with an accepting status.', ['RCV-5'], 'should'),
  check('receiver/fuzz/vrf-2', 'A missing or wrong signature is refused and takes no effect.', ['VRF-2']),
];

export function searchStarted(parts: Partial<RunStarted> = {}): RunStarted {
  const command = 'seaworthy fuzz http://127.0.0.1:4711/hooks --probe http://127.0.0.1:4711/effects/{id} --seed 42';
  return started({ checks, command, search: { time: 60_000, untilFailure: false, feedback: true }, ...parts });
}

export function progressed(parts: Partial<FuzzProgressed> = {}): FuzzProgressed {
  const figures = { cases: 1204, steps: 5310, distinct: 31, corpus: 44, failures: 0, flaky: 0, memory: 150_000_000 };
  return { type: 'fuzz.progressed', ms: 12_000, ...figures, ...parts };
}

const id = '5be0b6a5-55b5-4b8a-9d8e-6ad6a0a0a0a0';

export function found(parts: Partial<FuzzFailed> = {}): FuzzFailed {
  const copy = attempt(notification(id), answered(200), signed('4c'));
  return {
    type: 'fuzz.failed',
    ms: 8_000,
    check: 'receiver/fuzz/idm-2',
    cause: 'twice',
    steps: ['deliver a new notification as a', 'deliver a again, 2 times', 'deliver a again'],
    found: 14,
    rate: { failed: 1, tries: 1 },
    outcome: 'failed',
    counterexample: counterexample({
      summary: 'A notification that was delivered 4 times took effect twice.',
      requirements: ['IDM-2'],
      expected: 'one effect',
      actual: '2 effects',
      hint: 'Write the id and the effect in one transaction.',
      exchange: { attempts: [copy, copy], effects: [{ id, expected: 1, actual: 2 }] },
      file: '.seaworthy/runs/run-1/receiver-fuzz-idm-2-1.json',
    }),
    ...parts,
  };
}

/** A search with one of everything. */
export function failingSearch(): readonly RunEvent[] {
  const flaky = found({
    ms: 30_000,
    check: 'receiver/fuzz/rcv-1',
    cause: 'lost',
    steps: ['deliver a new notification as a'],
    found: 3,
    rate: { failed: 0, tries: 10 },
    outcome: 'flaky',
    counterexample: counterexample({ summary: 'A notification took no effect.', requirements: ['RCV-1'] }),
  });
  return [
    searchStarted(),
    {
      type: 'control.finished',
      ms: 12,
      accepted: true,
      attempt: attempt(notification('aaaaaaaa-3c36-41a7-a5d2-5e1f6dd0a0e9'), answered(200)),
    },
    ...checks.map((each) => checkStarted(each.id)),
    progressed({ ms: 1_000, cases: 100 }),
    found(),
    progressed({ failures: 1 }),
    flaky,
    progressed({ ms: 60_100, cases: 6020, steps: 26_000, failures: 1, flaky: 1, deliveries: 31_000 }),
    checkFinished('receiver/fuzz/idm-2', 'failed', { counterexample: found().counterexample }),
    checkFinished('receiver/fuzz/rcv-1', 'inconclusive', { reason: 'a failure did not come again' }),
    checkFinished('receiver/fuzz/rcv-5', 'passed'),
    checkFinished('receiver/fuzz/vrf-2', 'not-observable', { reason: 'needs --secret' }),
    finished({ ms: 60_200, durationMs: 60_200 }),
  ];
}

/** A search in which nothing was found. */
export function quietSearch(parts: Partial<FuzzProgressed> = {}): readonly RunEvent[] {
  return [
    searchStarted(),
    progressed({ ms: 60_000, cases: 6020, steps: 26_000, ...parts }),
    ...checks.map((each) => checkFinished(each.id, 'passed')),
    finished({ ms: 60_200, durationMs: 60_200 }),
  ];
}
