import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { Pace } from '../../../runner/http/pace.ts';
import { delivery } from '../deliveries.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets();

/** Answers that took so long, with as many under way as may be. */
function rounds(pace: Pace, count: number, ms: (limit: number) => number): readonly number[] {
  return Array.from({ length: count }, () => {
    const { limit } = pace;
    const began = performance.now();
    for (let answer = 0; answer < Math.max(limit, 4); answer++) pace.answered(ms(limit), { began, full: true });
    return pace.limit;
  });
}

test('doubles as long as answers come as soon as without load', () => {
  expect(rounds(new Pace(), 6, () => 400)).toEqual([8, 16, 32, 64, 64, 64]);
});

test('needs few under way at a target that answers at once', () => {
  expect(rounds(new Pace(), 4, () => 2)).toEqual([8, 16, 16, 16]);
});

test('is halved when answers come late, then grows by one', () => {
  const pace = new Pace();
  rounds(pace, 3, () => 400);
  expect(rounds(pace, 4, (limit) => (limit > 16 ? 5000 : 400))).toEqual([16, 17, 8, 9]);
});

test('stays with what a target can take that serves one at a time', () => {
  const pace = new Pace();
  for (let alone = 0; alone < 3; alone++) pace.answered(2000, { began: performance.now(), full: false });
  const limits = rounds(pace, 30, (limit) => 2000 * limit);
  expect(limits[0]).toBe(2);
  expect(Math.max(...limits)).toBeLessThanOrEqual(3);
});

test('is halved once for answers that failed together, and never below one', () => {
  const pace = new Pace();
  const began = performance.now() - 1;
  pace.failed({ began });
  pace.failed({ began });
  expect(pace.limit).toBe(2);
  for (let times = 0; times < 5; times++) pace.failed({ began: performance.now() + 1 });
  expect(pace.limit).toBe(1);
});

test('is not halved for a request that alone gets no answer, while later ones do', () => {
  const pace = new Pace();
  const began = performance.now() - 100;
  pace.answered(5, { began: began + 50, full: false });
  pace.failed({ began, silent: true });
  expect(pace.limit).toBe(4);
  pace.failed({ began });
  expect(pace.limit).toBe(2);
});

test('a target that becomes slower for good is not taken for one that is overloaded for ever', () => {
  const pace = new Pace();
  rounds(pace, 2, () => 5);
  expect(rounds(pace, 12, () => 600).at(-1)).toBeGreaterThan(2);
});

test('is not kept small by answers of which some take longer than others, whatever is under way', () => {
  const pace = new Pace();
  const kinds = [1, 1600, 1600, 2, 900, 2800];
  let round = 0;
  const limits = rounds(pace, 40, () => kinds[Math.floor(round++ / 20) % kinds.length]!);
  expect(Math.min(...limits)).toBeGreaterThanOrEqual(4);
  expect(limits.reduce((sum, limit) => sum + limit, 0) / limits.length).toBeGreaterThan(16);
});

test('stays small at a target that serves one at a time and refuses at once', () => {
  const pace = new Pace();
  let answer = 0;
  const limits = rounds(pace, 60, (limit) => (answer++ % 3 === 0 ? 1 : 300 * limit));
  expect(limits.slice(20).reduce((sum, limit) => sum + limit, 0) / 40).toBeLessThan(8);
});

test('does not grow while less is under way than may be', () => {
  const pace = new Pace();
  for (let answer = 0; answer < 40; answer++) pace.answered(5, { began: performance.now(), full: false });
  expect(pace.limit).toBe(4);
});

test('a fixed number stays', () => {
  const pace = new Pace(10);
  rounds(pace, 3, () => 5);
  pace.failed({ began: performance.now() });
  expect(pace.limit).toBe(10);
});

test('deliveries under way follow a real target', async () => {
  let [now, peak] = [0, 0];
  const url = await targets.http((request, response) => {
    peak = Math.max(peak, (now += 1));
    request.resume();
    void sleep(150).then(() => {
      now -= 1;
      response.end();
    });
  });
  const deliverer = targets.deliverer(url, { concurrency: new Pace() });
  await Promise.all(Array.from({ length: 200 }, () => deliverer.deliver(delivery())));
  expect(peak).toBeGreaterThan(16);
  expect(peak).toBeLessThanOrEqual(64);
});
