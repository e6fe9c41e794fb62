import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { HangWatch } from '../../../runner/engine/hangWatch.ts';
import type { Answer } from '../../../suites/delivery.ts';
import { Deadline } from '../../../runner/engine/ending.ts';
import type { SupervisedCase } from '../../../runner/process/supervisedCase.ts';

const timeout = 400;

const sent = ['a delivery', { check: 'a check', case: 0 }] as const;

const answered: Answer = { kind: 'answered', status: 202, ms: 200, headers: [], body: '' };

type Run = ReturnType<ConstructorParameters<typeof HangWatch>[2]>;

/** What a run is like: what became of other requests before, and who may be what the target hangs of. */
interface Given {
  readonly before?: readonly Answer[];
  readonly deadline?: Deadline;
  readonly guardian?: Pick<Run['guardian'], 'suspectOf'>;
  /** Milliseconds after which a request is answered that was under way. Default: none was. */
  readonly answeredAfter?: number;
}

/** @returns whether the run ended because the target hangs, some time after requests without an answer */
async function endedBy(
  asks: () => Promise<boolean>,
  { before = [], deadline = Deadline.in(60_000), guardian = { suspectOf: () => undefined }, answeredAfter }: Given = {},
): Promise<boolean> {
  const ended = new AbortController();
  const run = {
    ended: ended.signal,
    end: () => ended.abort(),
    deadline,
    targetProcess: undefined,
    guardian,
  } as unknown as Run;
  const watch = new HangWatch('receiver', timeout, () => run);
  watch.begin(asks);
  for (const answer of before) watch.heard(...sent, answer, true);
  for (let missed = 0; missed < 3; missed++) watch.heard(...sent, { kind: 'timed-out', ms: timeout }, true);
  if (answeredAfter !== undefined)
    void sleep(answeredAfter).then(() => watch.heard(...sent, { ...answered, ms: answeredAfter }, true));
  await watch.calm();
  return ended.signal.aborted;
}

test.concurrent('a target that answers nothing for a while, again and again, does not hang', async () => {
  // As often as one request that is not answered would follow another.
  const period = (timeout + 200) / 3;
  const began = performance.now();
  const asks = async (): Promise<boolean> => {
    if ((performance.now() - began) % period > period / 4) return true;
    await sleep(timeout);
    return false;
  };
  expect(await endedBy(asks)).toBe(false);
});

test.concurrent('a target that answers none of them hangs', async () => {
  expect(await endedBy(() => sleep(timeout, false))).toBe(true);
});

test.concurrent('a target that works off one by one what was broken off does not hang, though it takes long', async () => {
  const backAt = performance.now() + 3000;
  const asks = (): Promise<boolean> => (performance.now() > backAt ? Promise.resolve(true) : sleep(timeout, false));
  const brokenOff = Array.from({ length: 10 }, (): Answer => ({ kind: 'broken', code: 'ABORTED_BY_KIT', ms: 20 }));
  // What is answered last was sent before they were. A fifth of this time is what any target is waited for; more than half is over.
  expect(await endedBy(asks, { before: [...brokenOff, answered], deadline: Deadline.in(5000) })).toBe(false);
  expect(await endedBy(() => sleep(timeout, false), { before: [answered], deadline: Deadline.in(8000) })).toBe(true);
});

test.concurrent('a target that answers what was under way when it was looked at does not hang', async () => {
  const deadline = Deadline.in(8000);
  expect(await endedBy(() => sleep(timeout, false), { deadline, answeredAfter: 500 })).toBe(false);
});

test.concurrent('where the case of the first request without an answer is over by then, another one shows that it hangs', async () => {
  const hung: string[] = [];
  const suspectOf: Run['guardian']['suspectOf'] = ({ check }) => {
    const isOver = check !== 'control';
    const supervised = { isOver, hung: (how: string, sure: boolean) => hung.push(`${check}, ${sure}: ${how}`) };
    return { supervised: supervised as unknown as SupervisedCase, alone: isOver };
  };
  expect(await endedBy(() => sleep(timeout, false), { guardian: { suspectOf } })).toBe(true);
  expect(hung).toEqual([expect.stringMatching(/^control, false: from then on it answered nothing/)]);
});
