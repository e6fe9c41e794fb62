import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { FuzzStep } from '../../../../suites/fuzz/fuzzing.ts';
import { receiverModel } from '../../../../suites/fuzz/receiver/index.ts';
import { withReference } from './session.ts';

const means = { processControl: true, alone: true };

test('steps survive JSON, and people can read them', async () => {
  await withReference(undefined, async ({ draw }) => {
    const kinds = receiverModel.kinds({ ...draw, secrets: ['one', 'two'] }, means);
    for (const { kind, steps } of kinds) {
      fc.assert(
        fc.property(steps, (step) => {
          expect(JSON.parse(JSON.stringify(step))).toEqual(step);
          expect(step.do).toBe(kind);
          expect(receiverModel.describe(step)).toMatch(/^[a-z][^\n]+$/);
        }),
        { numRuns: 60 },
      );
    }
  });
});

test('each kind shrinks to its plainest step', async () => {
  await withReference(undefined, async ({ draw }) => {
    const kinds = receiverModel.kinds({ ...draw, secrets: ['one', 'two'] }, means);
    const smallest = kinds.map(({ steps }) => {
      const found = fc.check(
        fc.property(steps, () => false),
        { seed: 7, numRuns: 1 },
      );
      return found.counterexample![0] as FuzzStep;
    });
    expect(smallest.map((step) => JSON.stringify(step))).toMatchInlineSnapshot(`
      [
        "{"do":"deliver","slot":"a"}",
        "{"do":"redeliver","slot":"a"}",
        "{"do":"together","parts":[{"slot":"a"}]}",
        "{"do":"forge","slot":"a","how":{"kind":"another id after signing"}}",
        "{"do":"spoil","slot":"a","how":"the body is empty"}",
        "{"do":"break","slot":"a","at":"the body"}",
        "{"do":"wait","ms":1}",
        "{"do":"kill"}",
        "{"do":"stop"}",
        "{"do":"pause","ms":50}",
      ]
    `);
    expect(smallest.map((step) => receiverModel.describe(step))).toMatchInlineSnapshot(`
      [
        "deliver a, new",
        "deliver a",
        "deliver a",
        "deliver a forged: under another id than the one that was signed",
        "deliver a spoilt: the body is empty",
        "begin to deliver a, break the connection after 50% of the body",
        "wait 1 ms",
        "kill the receiver, and start it again",
        "ask the receiver to end, and start it again",
        "let the receiver stand still for 50 ms",
      ]
    `);
  });
});

test('without a secret nothing is forged, without process control nothing is ended', async () => {
  await withReference(undefined, async ({ draw }) => {
    const kinds = receiverModel.kinds({ ...draw, secrets: [] }, { processControl: false, alone: false });
    expect(kinds.map(({ kind }) => kind)).toEqual(['deliver', 'redeliver', 'together', 'spoil', 'break', 'wait']);
    expect(
      receiverModel.kinds(draw, means).filter(({ kind }) => receiverModel.controlsProcess({ do: kind })).length,
    ).toBe(3);
  });
});

test('a step that makes no sense where it stands does nothing', async () => {
  const [ended] = await withReference(undefined, ({ play }) =>
    play([[{ do: 'together', parts: [] } as never, { do: 'dance' }]]),
  );
  expect(ended).toEqual({ judged: [], features: [] });
});
