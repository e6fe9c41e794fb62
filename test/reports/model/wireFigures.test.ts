import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { RunEvent, ShortAnswer } from '../../../reports/model/events.ts';
import { mergeWire, type WireFigures, latencyAtRank, WireLatencies } from '../../../reports/model/wireFigures.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { delivered, finished, started } from '../madeUpRun.ts';
import { called, caughtShort, serviceStarted } from '../madeUpServiceRun.ts';

function figures(...events: readonly RunEvent[]): WireFigures {
  return summarise([started({ acceptedStatuses: [200, 201, 202, 204] }), ...events, finished()]).wire;
}

function answer(status: number, ms = 3): { readonly answer: ShortAnswer } {
  return { answer: { kind: 'answered', status, ms } };
}

describe('deliveries by event and check', () => {
  test('are counted with what was refused and what was not answered', () => {
    const { events } = figures(
      delivered({ check: 't/a', event: 'one' }),
      delivered({ check: 't/a', event: 'one', ...answer(203) }),
      delivered({ check: 't/a', event: 'one', answer: { kind: 'broken', code: 'ECONNRESET', ms: 1 } }),
      delivered({ check: 't/a', event: 'one', answer: { kind: 'timed-out', ms: 10_000 } }),
      delivered({ check: 't/b', event: 'one', ...answer(500) }),
      delivered({ check: 't/b', event: 'two' }),
    );
    expect(events).toEqual([
      {
        event: 'one',
        cells: [
          { check: 't/a', deliveries: 4, refused: 1, unanswered: 2 },
          { check: 't/b', deliveries: 1, refused: 1, unanswered: 0 },
        ],
      },
      { event: 'two', cells: [{ check: 't/b', deliveries: 1, refused: 0, unanswered: 0 }] },
    ]);
  });

  test('that a service made count by what its endpoint answered', () => {
    const how = ['200', '500', '202 after 40 ms', 'held without an answer', 'connection reset'];
    const caught = how.map((answered) => caughtShort({ check: 't/a', event: 'one', answered }));
    expect(figures(...caught).events).toEqual([
      { event: 'one', cells: [{ check: 't/a', deliveries: 5, refused: 1, unanswered: 2 }] },
    ]);
  });

  test('of events that the contract does not know are kept apart, also when they are merged', () => {
    const one = summarise([
      started({ events: ['one', 'two'] }),
      ...['one', 'three', 'two', 'three'].map((event) => delivered({ event })),
      finished(),
    ]).wire;
    for (const { events } of [one, mergeWire([one, one])]) {
      expect(events.filter(({ madeUp }) => madeUp).map(({ event }) => event)).toEqual(['three']);
    }
  });

  test('of made-up events leave room for those of the contract', () => {
    const made = Array.from({ length: 500 }, (_, index) => delivered({ event: `made-up-${index}` }));
    const { events } = summarise([started({ events: ['one'] }), ...made, delivered({ event: 'one' }), finished()]).wire;
    expect(events.map(({ event }) => event)).toContain('one');
  });

  test('of made-up events share a row beyond a bound', () => {
    const { events } = figures(...Array.from({ length: 500 }, (_, index) => delivered({ event: `made-up-${index}` })));
    expect(events.length).toBeLessThanOrEqual(201);
    expect(events.at(-1)?.event).toBe('');
    expect(events.flatMap(({ cells }) => cells).reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(500);
  });
});

describe('how long answers took', () => {
  test('says nothing where there was none', () => {
    expect(figures(delivered({ answer: { kind: 'timed-out', ms: 10_000 } })).latencies).toEqual({
      count: 0,
      median: 0,
      p95: 0,
      p99: 0,
      longest: 0,
      bins: [],
    });
  });

  test('is that of calls, of a service', () => {
    const { latencies } = summarise([serviceStarted(), called({ ...answer(200, 17) }), finished()]).wire;
    expect(latencies).toMatchObject({ count: 1, longest: 17 });
    expect(latencies.median).toBeCloseTo(17, -0.5);
  });

  test('is right to the width of a bin, whatever the times, and bounded in size', () => {
    const times = fc.array(fc.oneof(fc.double({ min: 0, max: 2e8, noNaN: true }), fc.nat(2000)), { minLength: 1 });
    fc.assert(
      fc.property(times, (all) => {
        const tally = new WireLatencies();
        for (const ms of all) tally.add(ms);
        const { count, bins, longest, ...quantiles } = tally.figures();
        expect([count, longest]).toEqual([all.length, Math.max(...all)]);
        expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(all.length);
        expect(bins.length).toBeLessThan(250);
        for (const { from, to, count: inBin } of bins)
          expect(all.filter((ms) => ms >= from && ms < to)).toHaveLength(inBin);
        const sorted = all.toSorted((a, b) => a - b);
        for (const [name, share] of [
          ['median', 0.5],
          ['p95', 0.95],
          ['p99', 0.99],
        ] as const) {
          const exact = sorted[Math.max(1, Math.ceil(all.length * share)) - 1]!;
          const bin = bins.find(({ from, to }) => exact >= from && exact < to)!;
          expect(quantiles[name]).toBeGreaterThanOrEqual(bin.from);
          expect(quantiles[name]).toBeLessThanOrEqual(bin.to);
          expect(quantiles[name]).toBeLessThanOrEqual(longest);
        }
      }),
    );
  });

  test('ranks count from the fastest answer', () => {
    const tally = new WireLatencies();
    for (const ms of [1, 10, 100]) tally.add(ms);
    for (const [index, ms] of [1, 10, 100].entries()) {
      const ratio = latencyAtRank(tally.figures(), index + 1) / ms;
      expect(Math.abs(ratio - 1)).toBeLessThan(0.11);
    }
  });
});

describe('notifications that were attempted again', () => {
  test('are kept with their attempts, the most retried first', () => {
    const attempt = (id: string, number: number) =>
      caughtShort({ id, event: 'one', check: 't/a', endpoint: 'e', number, ms: number * 100, answered: '500' });
    const { retried } = figures(
      attempt('once', 1),
      ...[1, 2].map((number) => attempt('twice', number)),
      ...[1, 2, 3].map((number) => attempt('thrice', number)),
    );
    expect(retried.map(({ id, attempts }) => [id, attempts.length])).toEqual([
      ['thrice', 3],
      ['twice', 2],
    ]);
    expect(retried[1]?.attempts).toEqual([
      { number: 1, ms: 100, answered: '500' },
      { number: 2, ms: 200, answered: '500' },
    ]);
  });

  test('stay known and few among very many', () => {
    const events = function* (): Generator<RunEvent> {
      yield serviceStarted();
      yield caughtShort({ id: 'retried', number: 1 });
      yield caughtShort({ id: 'retried', number: 2 });
      for (let index = 0; index < 30_000; index++) yield caughtShort({ id: `other-${index}`, number: 1 });
      for (let number = 3; number <= 100; number++) yield caughtShort({ id: 'retried', number });
    };
    const { retried } = summarise(events()).wire;
    expect(retried.map(({ id }) => id)).toEqual(['retried']);
    expect(retried[0]?.attempts.length).toBeLessThan(50);
  });
});

test('figures of several runs are those of one with all their events', () => {
  const deliveries = Array.from({ length: 60 }, (_, index) =>
    delivered({ event: `e${index % 4}`, check: `t/${index % 3}`, ...answer(index % 5 === 0 ? 500 : 200, index * 7) }),
  );
  const [first, second] = [figures(...deliveries.slice(0, 20)), figures(...deliveries.slice(20))];
  expect(mergeWire([first, second])).toEqual(figures(...deliveries));
});
