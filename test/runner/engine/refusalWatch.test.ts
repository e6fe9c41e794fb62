import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { RefusalWatch } from '../../../runner/engine/refusalWatch.ts';
import type { RunEnd } from '../../../runner/engine/eventStream.ts';
import { Deadline } from '../../../runner/engine/ending.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/**
 * A watch, how its run ended, and what judges one answer: with a status that is accepted, or not.
 *
 * @param target - that the kit has started: when it last came up
 */
function watched(plain: number, target?: { upSince: number }) {
  const answered = (status: number) => ({ kind: 'answered', status, headers: [], body: '', ms: 1 }) as const;
  const ends: RunEnd[] = [];
  const watch = new RefusalWatch('receiver', () => ({
    ended: new AbortController().signal,
    end: (end) => void ends.push(end),
    deadline: new Deadline(),
    guardian: { suspectOf: () => undefined, servesNobody: () => false } as never,
    targetProcess: target && ({ target } as never),
  }));
  watch.begin(async () => (plain < 300 ? undefined : answered(plain)));
  const judge = (status: number, isAccepted = false): void =>
    watch.judged('a delivery of order.paid', { check: 'receiver/a/check', case: 0 }, answered(status), isAccepted);
  return { ends, judge };
}

/** So many are refused within a second, and whatever is sent alone after that is, too. */
async function refuse(judge: (status: number) => void, status: number): Promise<void> {
  for (let sent = 0; sent < 25; sent += 1) {
    judge(status);
    await vi.advanceTimersByTimeAsync(40);
  }
  await vi.advanceTimersByTimeAsync(40_000);
}

test('a target that refuses plain requests for half a minute, and all that follow, turns the kit away', async () => {
  const { ends, judge } = watched(403);
  await refuse(judge, 401);
  expect(ends).toEqual([]);
  for (let sent = 0; sent < 5; sent += 1) judge(403);
  expect(ends).toMatchObject([
    {
      cause: 'hang',
      reason: expect.stringMatching(/^the receiver turns the kit away: .* with 403: \d+ requests in a row/),
    },
  ]);
});

test('plain requests that are refused for what they are end no run while others are accepted', async () => {
  const { ends, judge } = watched(409);
  await refuse(judge, 409);
  judge(200, true);
  await refuse(judge, 409);
  for (let sent = 0; sent < 30; sent += 1) judge(409);
  expect(ends).toEqual([]);
});

test.each([
  [true, /^the receiver serves nobody any more: .* with 500/],
  [false, /^the receiver has served nobody since it last started or went on: .* with 500/],
])(
  'no request is blamed where none is accepted since the target was started (%s: one was)',
  async (accepts, reason) => {
    const target = { upSince: 0 };
    const { ends, judge } = watched(500, target);
    judge(200, true);
    target.upSince = performance.now() + 10;
    await vi.advanceTimersByTimeAsync(20);
    if (accepts) judge(200, true);
    await refuse(judge, 500);
    for (let sent = 0; sent < 5; sent += 1) judge(500);
    expect(ends).toMatchObject([{ reason: expect.stringMatching(reason) }]);
  },
);

test('what was refused in a row shows nothing where a plain request is accepted', async () => {
  const { ends, judge } = watched(200);
  await refuse(judge, 500);
  for (let sent = 0; sent < 5; sent += 1) judge(500);
  expect(ends).toEqual([]);
});
