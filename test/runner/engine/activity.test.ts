import { expect, test } from 'vitest';

import { Activity } from '../../../runner/engine/activity.ts';

function gate(): { open: () => void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, opened: promise };
}

test('no more are at work than the limit', async () => {
  const activity = new Activity(2, () => {});
  const gates = [gate(), gate(), gate()];
  const began: number[] = [];
  const runs = gates.map(({ opened }, number) =>
    activity.run(async () => {
      began.push(number);
      await opened;
    }),
  );
  await Promise.resolve();
  expect(began).toEqual([0, 1]);
  gates[0]!.open();
  await runs[0];
  await Promise.resolve();
  expect(began).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  await Promise.all(runs);
});

test('who is parked gives its place away, and idle is reported once everybody is parked', async () => {
  const shared = gate();
  let idle = 0;
  const activity = new Activity(1, () => {
    idle += 1;
    shared.open();
  });
  const order: string[] = [];
  const run = (name: string) =>
    activity.run(async () => {
      order.push(`${name} sends`);
      await activity.park(shared.opened);
      order.push(`${name} judges`);
    });
  await Promise.all([run('one'), run('other')]);
  expect(order).toEqual(['one sends', 'other sends', 'one judges', 'other judges']);
  expect(idle).toBe(2);
});

test('a raised limit lets the next ones in', async () => {
  const activity = new Activity(1, () => {});
  const { open, opened } = gate();
  const began: number[] = [];
  const runs = [0, 1].map((number) =>
    activity.run(async () => {
      began.push(number);
      await opened;
    }),
  );
  activity.limit = 2;
  await Promise.resolve();
  expect(began).toEqual([0, 1]);
  open();
  await Promise.all(runs);
  expect(activity.idle).toBe(true);
});

test('the lowest turn goes first, and who comes back from a wait before it', async () => {
  const activity = new Activity(1, () => {});
  const { open, opened } = gate();
  const order: string[] = [];
  const waits = activity.run(async () => {
    order.push('sends');
    await activity.park(opened);
    order.push('judges');
  }, 3);
  const note = (name: string, turn: number) =>
    activity.run(async () => {
      order.push(name);
      open();
      await opened;
    }, turn);
  await Promise.all([waits, note('first of one', 0), note('second of one', 1), note('first of other', 0)]);
  expect(order).toEqual(['sends', 'first of one', 'judges', 'first of other', 'second of one']);
});

test('a wait that takes long gives its place to the next one, and a short one does not', async () => {
  const activity = new Activity(1, () => {});
  const { open, opened } = gate();
  const order: string[] = [];
  const long = activity.run(async () => {
    await activity.parkIfLong(Promise.resolve());
    order.push('had a short wait');
    await activity.parkIfLong(opened);
    order.push('had a long wait');
  });
  const next = activity.run(async () => {
    order.push('next');
    open();
  });
  await Promise.all([long, next]);
  expect(order).toEqual(['had a short wait', 'next', 'had a long wait']);
});

test('of two long lists that begin together each item is worked on once, by turns', async () => {
  const activity = new Activity(1, () => {});
  const order: string[] = [];
  const list = (name: string) =>
    activity.runAll(
      Array.from({ length: 1000 }, (_, number) => number),
      async (number) => void order.push(`${name}${number}`),
      (number) => number,
    );
  await Promise.all([list('a'), list('b'), activity.runAll([], async () => {}, Number)]);
  expect(order).toEqual(Array.from({ length: 1000 }, (_, number) => [`a${number}`, `b${number}`]).flat());
});

test('what one of a list throws ends the list', async () => {
  const activity = new Activity(2, () => {});
  const thrown = activity.runAll([1, 2, 3], (number) => Promise.reject(new Error(`no ${number}`)), Number);
  await expect(thrown).rejects.toThrow('no 1');
});
