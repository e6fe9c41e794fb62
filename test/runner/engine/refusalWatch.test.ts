import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { RefusalWatch } from '../../../runner/engine/refusalWatch.ts';
import type { RunEnd } from '../../../runner/engine/eventStream.ts';
import type { Answer } from '../../../suites/delivery.ts';
import { Deadline } from '../../../runner/engine/ending.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/**
 * A watch, how its run ended, and what judges one answer: with a status that is accepted, or not.
 *
 * @param target - that the kit has started: when it last came up
 */
function watched(plain: number | Answer, target?: { upSince: number }) {
  const ended = (answer: number | Answer): Answer =>
    typeof answer === 'number' ? { kind: 'answered', status: answer, headers: [], body: '', ms: 1 } : answer;
  const ends: RunEnd[] = [];
  const watch = new RefusalWatch('receiver', () => ({
    ended: new AbortController().signal,
    end: (end) => void ends.push(end),
    deadline: new Deadline(),
    guardian: { suspectOf: () => undefined, servesNobody: () => false } as never,
    targetProcess: target && ({ target } as never),
  }));
  watch.begin(async () => (plain === 200 ? undefined : ended(plain)));
  const judge = (answer: number | Answer, isAccepted = false): void =>
    watch.judged('a delivery of order.paid', { check: 'receiver/a/check', case: 0 }, ended(answer), isAccepted);
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

test.each([
  [
    'UND_ERR_SOCKET',
    [/^the receiver turns the kit away: it takes plain requests, and closes their connections .*: 25 /],
  ],
  ['ECONNREFUSED', []],
])('so does one that closes every connection without an answer (%s)', async (code, reasons) => {
  const { ends, judge } = watched({ kind: 'broken', code, ms: 1 });
  await refuse(judge, 401);
  for (let sent = 0; sent < 5; sent += 1) judge({ kind: 'broken', code, ms: 1 });
  expect(ends.map(({ reason }) => reason)).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
});

test('what closes its connections in dying says nothing of the target that is started after it', async () => {
  const closed: Answer = { kind: 'broken', code: 'UND_ERR_SOCKET', ms: 1 };
  const target = { upSince: 0 };
  const { ends, judge } = watched(closed, target);
  judge(200, true);
  for (let sent = 0; sent < 25; sent += 1) judge(closed);
  await vi.advanceTimersByTimeAsync(600);
  judge(closed);
  target.upSince = performance.now() + 1;
  await vi.advanceTimersByTimeAsync(40_000);
  for (let sent = 0; sent < 5; sent += 1) judge(closed);
  expect(ends).toEqual([]);
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
