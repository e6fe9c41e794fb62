import { describe, expect, test } from 'vitest';

import { Lateness } from '../../../runner/engine/lateness.ts';
import { Deadline } from '../../../runner/engine/ending.ts';
import type { Probe } from '../../../runner/receiver/probe.ts';
import { SentDeliveries } from '../../../runner/receiver/receiverContext.ts';
import { Settler } from '../../../runner/receiver/settler.ts';
import { beLate } from '../../beLate.ts';

/** A target whose effects come as the test says: at each look of the probe, one entry of the plan is done. */
function target(plan: readonly (readonly string[])[] = []) {
  const counts = new Map<string, number>();
  const looks: (readonly string[])[] = [];
  const probe: Probe = {
    asksEach: false,
    silence: undefined,
    count(ids) {
      for (const id of plan[looks.length] ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
      looks.push(ids);
      return Promise.resolve(new Map(ids.map((id) => [id, counts.get(id) ?? 0])));
    },
    close: () => Promise.resolve(),
  };
  return { probe, looks };
}

interface Times {
  readonly lateness?: Lateness;
  readonly deadline?: Deadline;
}

function settlerFor({ probe }: { probe: Probe }, settle: number, { lateness, deadline }: Times = {}): Settler {
  const log = new SentDeliveries();
  for (const id of ['a', 'b']) log.record(id, 'e');
  return new Settler({
    probe,
    times: log,
    settle,
    signal: new AbortController().signal,
    ...(lateness && { lateness }),
    ...(deadline && { deadline }),
  });
}

describe('one round', () => {
  test('serves all who wait, and asks for all ids at once at its end', async () => {
    const { probe, looks } = target([['a'], [], ['b']]);
    const settler = settlerFor({ probe }, 100);
    const one = settler.wait(new Map([['a', 1]]));
    const other = settler.wait(
      new Map([
        ['b', 1],
        ['never', 0],
      ]),
    );
    await settler.begin();
    expect((await one).get('a')).toBe(1);
    expect([...(await other)]).toEqual([
      ['a', 1],
      ['b', 1],
      ['never', 0],
    ]);
    expect(looks.at(-1)).toEqual(['a', 'b', 'never']);
  });

  test('waits for longer where the kit itself was late meanwhile', async () => {
    const late = [...Array.from({ length: 11 }, () => []), ['a']];
    const seen = async (lateness?: Lateness) => {
      const settler = settlerFor(target(late), 50, { ...(lateness && { lateness }) });
      beLate(150);
      const effects = settler.wait(new Map([['a', 1]]));
      await settler.begin();
      return (await effects).get('a');
    };
    const lateness = new Lateness();
    expect(await seen(lateness)).toBe(1);
    lateness.stop();
    expect(await seen()).toBe(0);
  });

  test('sees an effect that comes only after the expected ones', async () => {
    const { probe } = target([['a'], ['a']]);
    const settler = settlerFor({ probe }, 50);
    const effects = settler.wait(new Map([['a', 1]]));
    await settler.begin();
    expect((await effects).get('a')).toBe(2);
  });

  test('waits on as long as a backlog is being worked off', async () => {
    const { probe } = target([[], [], [], [], [], [], [], ['a'], [], [], [], [], ['b']]);
    const settler = settlerFor({ probe }, 150);
    const effects = settler.wait(
      new Map([
        ['a', 1],
        ['b', 1],
      ]),
    );
    await settler.begin();
    expect([...(await effects)]).toEqual([
      ['a', 1],
      ['b', 1],
    ]);
  });

  test('waits for nothing that must not come where it only matters what comes, and lets others wait on', async () => {
    const { probe, looks } = target([['a'], [], ['a']]);
    const settler = settlerFor({ probe }, 100);
    const order: string[] = [];
    const expected = new Map([['a', 1]]);
    const whole = settler.wait(expected).then((effects) => order.push(`whole: ${effects.get('a')}`));
    const soon = settler.wait(expected, undefined, true).then((effects) => order.push(`soon: ${effects.get('a')}`));
    await settler.begin();
    await Promise.all([whole, soon]);
    expect(order).toEqual(['soon: 1', 'whole: 1']);
    const again = settler.wait(expected, undefined, true);
    await settler.begin();
    expect((await again).get('a')).toBe(2);
    expect(looks).toHaveLength(3);
  });

  test('takes half of the time that is left where a backlog is worked off slowly', async () => {
    const { probe } = target([[], [], [], ['a'], [], [], [], [], ['b']]);
    const settler = settlerFor({ probe }, 1000, { deadline: Deadline.in(3000) });
    const effects = settler.wait(
      new Map([
        ['a', 1],
        ['b', 1],
        ['never', 0],
      ]),
    );
    await settler.begin();
    expect([...(await effects)]).toEqual([
      ['a', 1],
      ['b', 1],
      ['never', 0],
    ]);
  });

  test('gives an absence up after the settling time', async () => {
    const settler = settlerFor(target(), 30);
    const effects = settler.wait(new Map([['a', 1]]));
    await settler.begin();
    expect((await effects).get('a')).toBe(0);
  });
});

test('nobody waits: nothing is asked', async () => {
  const { probe, looks } = target();
  await settlerFor({ probe }, 30).begin();
  expect(looks).toEqual([]);
});

test('a probe that fails is reported to all who wait', async () => {
  const failing: Probe = {
    asksEach: false,
    silence: undefined,
    count: () => Promise.reject(new Error('no probe')),
    close: () => Promise.resolve(),
  };
  const settler = settlerFor({ probe: failing }, 30);
  const waits = [settler.wait(new Map([['a', 1]])), settler.wait(new Map([['b', 1]]))];
  await Promise.all([settler.begin(), ...waits.map((wait) => expect(wait).rejects.toThrow('no probe'))]);
});

test('an absence is awaited five times as long as the slowest effect took, and a second at least', async () => {
  const { probe } = target([['a']]);
  const log = new SentDeliveries();
  const settler = new Settler({ probe, times: log, signal: new AbortController().signal });
  expect(settler.settle).toBe(1000);
});
