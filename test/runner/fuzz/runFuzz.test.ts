import { expect, test } from 'vitest';

import type { RunEvent } from '../../../reports/model/events.ts';
import { replaySequence } from '../../../runner/replay/replaySequence.ts';
import { readSavedCase } from '../../../runner/engine/savedCase.ts';
import type { ReceiverFuzzing, SequenceResult } from '../../../suites/fuzz/fuzzing.ts';
import type { Finding } from '../../../suites/check.ts';
import { failuresOf, searched } from './searchReceiver.ts';
import { toyModel } from './toyModel.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { endOf } from '../endOf.ts';

function outcomesOf(events: readonly RunEvent[]) {
  return Object.fromEntries(
    events.flatMap((event) => (event.type === 'check.finished' ? [[event.check, event.outcome] as const] : [])),
  );
}

/** The kinds of steps, as the toy's words name them. */
function kindsIn(steps: readonly string[]): readonly string[] {
  return ['new', 'again', 'rest', 'kill'].filter((kind) => steps.some((words) => words.includes(`"do":"${kind}"`)));
}

function figuresOf(events: readonly RunEvent[]) {
  return events.findLast((event) => event.type === 'fuzz.progressed')!;
}

test('a failure is shrunk, tried again, saved and played again until it is fixed', async (context) => {
  const faulty = await searched('takes-effect-again-at-the-third-redelivery', context);
  const events = await faulty.search({ untilFailure: true });
  const [failure, ...others] = failuresOf(events);
  expect(others).toEqual([]);
  expect(failure).toMatchObject({
    check: 'receiver/fuzz/idm-2',
    cause: 'twice',
    steps: ['{"do":"new","slot":"a","size":0}', '{"do":"again","slot":"a","times":3}'],
    outcome: 'failed',
    rate: { failed: 4, tries: 4 },
  });
  expect(outcomesOf(events)).toMatchObject({ 'receiver/fuzz/idm-2': 'failed', 'receiver/fuzz/rob-1': 'passed' });
  const saved = await readSavedCase(failure!.counterexample.file!);
  expect(saved.sequence?.map(({ step }) => step)).toEqual([
    { do: 'new', slot: 'a', size: 0 },
    { do: 'again', slot: 'a', times: 3 },
  ]);
  const again = await replaySequence({ subject: 'receiver', plan: await faulty.plan() }, saved, { receiver: toyModel });
  expect(again).toMatchObject({ outcome: 'fails', finding: { actual: 'twice' } });
  const fixed = await searched(undefined, context);
  const plan = await fixed.plan();
  expect(await replaySequence({ subject: 'receiver', plan }, saved, { receiver: toyModel })).toMatchObject({
    outcome: 'fixed',
  });
  const { probe: _, ...blind } = plan;
  expect(await replaySequence({ subject: 'receiver', plan: blind }, saved, { receiver: toyModel })).toMatchObject({
    outcome: 'cannot-run',
    reason: expect.stringContaining('IDM-2') as string,
  });
});

test('a search of a right receiver ends with its budget, and the next one goes on from its corpus', async (context) => {
  const right = await searched(undefined, context);
  const first = await right.search({ runs: 40 });
  expect(first[0]).toMatchObject({ type: 'run.started', search: { runs: 40, untilFailure: false, feedback: true } });
  expect(first.at(-1)).toMatchObject({ type: 'run.finished', complete: true, interrupted: false });
  expect(new Set(Object.values(outcomesOf(first)))).toEqual(new Set(['passed']));
  expect(figuresOf(first)).toMatchObject({ cases: 40, failures: 0, flaky: 0 });
  expect(figuresOf(first).corpus).toBeGreaterThan(0);
  const second = await right.search({ runs: figuresOf(first).corpus });
  expect(figuresOf(second).distinct).toBe(figuresOf(first).distinct);
  const without = await right.search({ runs: 5 }, { feedback: false, requirements: ['IDM-1'] });
  expect(figuresOf(without)).toMatchObject({ cases: 5, corpus: 0 });
  expect(Object.keys(outcomesOf(without))).toEqual(['receiver/fuzz/idm-1']);
});

test('what does not come again is flaky, and breaks nothing', async (context) => {
  const right = await searched(undefined, context);
  let played = 0;
  const model = {
    ...toyModel,
    async run(kit: Parameters<typeof toyModel.run>[0]): Promise<SequenceResult<Finding>> {
      await kit.deliver(kit.compose(kit.control));
      const lost = {
        requirements: ['RCV-1'],
        expected: 'an effect',
        actual: 'none',
        cause: 'lost',
        absence: true,
      } as const;
      const finding = { ...lost, attempts: kit.attempts };
      return { judged: ['RCV-1'], features: [], ...(++played === 3 && { finding }) };
    },
  };
  const events = await right.search({ runs: 10 }, { model });
  expect(failuresOf(events)).toMatchObject([{ outcome: 'flaky', rate: { failed: 0, tries: 10 }, cause: 'lost' }]);
  expect(outcomesOf(events)['receiver/fuzz/rcv-1']).toBe('inconclusive');
  expect(figuresOf(events)).toMatchObject({ failures: 0, flaky: 1 });
});

/** Finds fault with whatever is new, and says that another requirement is broken where a sequence has a redelivery, too. */
function breaking(first: RequirementId, again: RequirementId): ReceiverFuzzing {
  return {
    ...toyModel,
    requirements: [first, again],
    async run(kit, steps): Promise<SequenceResult<Finding>> {
      await kit.deliver(kit.compose(kit.control));
      const has = (kind: string) => steps.some((step) => step.do === kind);
      const requirement = has('again') ? again : first;
      const seen = { expected: 'one', actual: `${requirement} is broken`, cause: 'wrong', absence: false };
      const finding = { requirements: [requirement], ...seen, attempts: kit.attempts };
      return { judged: [first, again], features: [], ...(has('new') && { finding }) };
    },
  };
}

test('what breaks a MUST is found beside what breaks a SHOULD by fewer of its steps', async (context) => {
  const right = await searched(undefined, context);
  const events = await right.search({ runs: 60 }, { model: breaking('RCV-3', 'IDM-2') });
  const reported = failuresOf(events).map(({ check, steps }) => [check, kindsIn(steps)]);
  expect(Object.fromEntries(reported)).toEqual({
    'receiver/fuzz/rcv-3': ['new'],
    'receiver/fuzz/idm-2': ['new', 'again'],
  });
  expect(reported).toHaveLength(2);
  expect(outcomesOf(events)).toMatchObject({ 'receiver/fuzz/idm-2': 'failed', 'receiver/fuzz/rcv-3': 'warned' });
});

test('what failed and was left aside does not hold', async (context) => {
  const right = await searched(undefined, context);
  const events = await right.search({ runs: 60 }, { model: breaking('IDM-1', 'IDM-2') });
  expect(failuresOf(events).map(({ check }) => check)).toContain('receiver/fuzz/idm-1');
  const { outcome, reason } = endOf(events, 'receiver/fuzz/idm-2');
  expect(outcome).toBe('inconclusive');
  expect(reason).toBe('a sequence failed, and was not tried again until it was clear what it breaks: IDM-2 is broken');
});
