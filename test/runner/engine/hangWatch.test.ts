import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { HangWatch } from '../../../runner/engine/hangWatch.ts';
import { Deadline } from '../../../runner/engine/timeLimit.ts';
import type { SupervisedCase } from '../../../runner/process/supervisedCase.ts';

const timeout = 400;

type Run = ReturnType<ConstructorParameters<typeof HangWatch>[2]>;

/** @returns whether the run ended because the target hangs, three time-outs after some requests without an answer */
async function endedBy(
  asks: () => Promise<boolean>,
  guardian: Pick<Run['guardian'], 'suspectOf'> = { suspectOf: () => undefined },
): Promise<boolean> {
  const ended = new AbortController();
  const run = {
    ended: ended.signal,
    end: () => ended.abort(),
    deadline: Deadline.in(60_000),
    targetProcess: undefined,
    guardian,
  } as unknown as Run;
  const watch = new HangWatch('receiver', timeout, () => run);
  watch.begin(asks);
  for (let missed = 0; missed < 3; missed++)
    watch.heard('a delivery', { check: 'a check', case: 0 }, { kind: 'timed-out', ms: timeout }, true);
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

test.concurrent('where the case of the first request without an answer is over by then, another one shows that it hangs', async () => {
  const hung: string[] = [];
  const suspectOf: Run['guardian']['suspectOf'] = ({ check }) => {
    const isOver = check !== 'control';
    const supervised = { isOver, hung: (how: string, sure: boolean) => hung.push(`${check}, ${sure}: ${how}`) };
    return { supervised: supervised as unknown as SupervisedCase, alone: isOver };
  };
  expect(await endedBy(() => sleep(timeout, false), { suspectOf })).toBe(true);
  expect(hung).toEqual([expect.stringMatching(/^control, false: from then on it answered nothing/)]);
});
