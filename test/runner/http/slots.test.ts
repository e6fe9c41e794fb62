import { expect, test } from 'vitest';

import { type Clock, Slots } from '../../../runner/http/slots.ts';

/** A clock that stands still until it is moved. */
class HandClock implements Clock {
  #now = 0;
  #timers: { readonly at: number; readonly action: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  setTimeout(action: () => void, ms: number): void {
    this.#timers.push({ at: this.#now + ms, action });
  }

  get timers(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.action();
    }
    this.#now = end;
  }
}

/** Takes slots under these names; the list holds those that got one, in order. */
function acquireAll(slots: Slots, names: string, signal?: AbortSignal): string[] {
  const granted: string[] = [];
  for (const name of names) void slots.acquire(signal).then((got) => granted.push(got ? name : `${name} aborted`));
  return granted;
}

/** Lets everything that is already settled be noticed. */
const turn = (): Promise<void> => new Promise(setImmediate);

test('gives out as many slots as there are, first come, first served', async () => {
  const slots = new Slots({ concurrency: 2 });
  const granted = acquireAll(slots, 'abcde');
  await turn();
  expect(granted).toEqual(['a', 'b']);
  slots.release();
  await turn();
  expect(granted).toEqual(['a', 'b', 'c']);
  slots.release();
  slots.release();
  await turn();
  expect(granted).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('what is begun past the slots counts for the rate', async () => {
  const clock = new HandClock();
  const slots = new Slots({ concurrency: 100, rate: 10, clock });
  await slots.charge(5);
  let begun = 0;
  void slots.charge(3).then(() => (begun += 1));
  const granted = acquireAll(slots, 'a');
  clock.advance(399);
  await turn();
  expect([begun, granted]).toEqual([0, []]);
  clock.advance(1);
  await turn();
  expect([begun, granted]).toEqual([1, []]);
  clock.advance(399);
  await turn();
  expect(granted).toEqual([]);
  clock.advance(1);
  await turn();
  expect(granted).toEqual(['a']);
});

test('what waits for the rate begins no later than the end', async () => {
  const slots = new Slots({ concurrency: 100, rate: 10, clock: new HandClock() });
  const ending = new AbortController();
  await slots.charge(50, ending.signal);
  let waited = 0;
  const waiting = slots.charge(1, ending.signal).then(() => (waited += 1));
  await turn();
  expect(waited).toBe(0);
  ending.abort();
  await waiting;
  expect(waited).toBe(1);
});

test('gives out no more per second than the rate', async () => {
  const clock = new HandClock();
  const slots = new Slots({ concurrency: 100, rate: 10, clock });
  const granted = acquireAll(slots, 'abcdefghijkl');
  await turn();
  expect(granted).toHaveLength(1);
  clock.advance(99);
  await turn();
  expect(granted).toHaveLength(1);
  clock.advance(1);
  await turn();
  expect(granted).toHaveLength(2);
  clock.advance(900);
  await turn();
  expect(granted).toHaveLength(11);
});

test('a high rate is kept although timers wake once a millisecond', async () => {
  const clock = new HandClock();
  const slots = new Slots({ concurrency: 100_000, rate: 5000, clock });
  const granted = acquireAll(slots, 'x'.repeat(20_000));
  clock.advance(1000);
  await turn();
  expect(granted.length).toBeGreaterThan(5000);
  expect(granted.length).toBeLessThanOrEqual(5100);
});

test('an unused rate is not saved up beyond a moment', async () => {
  const clock = new HandClock();
  const slots = new Slots({ concurrency: 1000, rate: 100, clock });
  clock.advance(60_000);
  const granted = acquireAll(slots, 'x'.repeat(50));
  await turn();
  expect(granted).toHaveLength(2);
});

test('the rate waits on one timer, and on none where no slot is free', async () => {
  const clock = new HandClock();
  const slots = new Slots({ concurrency: 1, rate: 10, clock });
  const granted = acquireAll(slots, 'abc');
  await turn();
  expect(clock.timers).toBe(0);
  slots.release();
  expect(clock.timers).toBe(1);
  clock.advance(100);
  await turn();
  expect(granted).toEqual(['a', 'b']);
});

test('an abort ends the waiting without a slot', async () => {
  const controller = new AbortController();
  const slots = new Slots({ concurrency: 1 });
  const granted = acquireAll(slots, 'ab', controller.signal);
  const patient = acquireAll(slots, 'c');
  await turn();
  controller.abort();
  await turn();
  expect(granted).toEqual(['a', 'b aborted']);
  expect(await slots.acquire(controller.signal)).toBe(false);
  slots.release();
  await turn();
  expect(patient).toEqual(['c']);
});

test('a signal ends the waiting of those alone that wait under it', async () => {
  const slots = new Slots({ concurrency: 1 });
  const [own, other] = [new AbortController(), new AbortController()];
  const taken = acquireAll(slots, 'a');
  const ended = acquireAll(slots, 'bc', own.signal);
  const waiting = acquireAll(slots, 'd', other.signal);
  own.abort();
  await expect.poll(() => ended).toEqual(['b aborted', 'c aborted']);
  expect([taken, waiting]).toEqual([['a'], []]);
  slots.release();
  await expect.poll(() => waiting).toEqual(['d']);
  expect(await slots.acquire(own.signal)).toBe(false);
});
