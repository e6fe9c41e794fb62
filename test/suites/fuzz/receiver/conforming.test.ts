import { describe, expect, test } from 'vitest';

import { receiverModel } from '../../../../suites/fuzz/receiver/index.ts';
import { conformingReceivers } from '../../../proof/receivers/index.ts';
import { inShort, secret, withReceiver, withReference, type Ended, type Session } from './session.ts';

/** Sequences that found something, or could not be judged, in words. */
function complaints({
  ended,
  steps,
}: {
  readonly ended: readonly Ended[];
  readonly steps: ReturnType<Session['drawn']>;
}) {
  return ended.flatMap((one, place) =>
    one.finding ? [[inShort(one), ...steps[place]!.map((step) => receiverModel.describe(step))]] : [],
  );
}

async function playDrawn({ play, drawn }: Session, seed: number, count: number) {
  const steps = drawn(seed, count);
  return { steps, ended: await play(steps) };
}

test(
  'no drawn sequence finds fault with the reference receiver, and its answers are soon all known',
  { timeout: 180_000 },
  async () => {
    const played = await withReference(undefined, (session) => playDrawn(session, 20_261_121, 90));
    expect(complaints(played)).toEqual([]);
    expect(played.ended.filter(({ unproven }) => unproven !== undefined).length).toBeLessThan(3);
    const judged = new Set(played.ended.flatMap((one) => one.judged));
    // One secret is given, and there is no process control.
    expect(receiverModel.requirements.filter((id) => !judged.has(id))).toEqual(['RCV-3']);
    const known = new Set<string>();
    const fresh = [0, 30, 60].map((from) => {
      const before = known.size;
      for (const { features } of played.ended.slice(from, from + 30)) features.forEach((feature) => known.add(feature));
      return known.size - before;
    });
    expect(fresh.at(-1)).toBeLessThan(fresh[0]! / 3);
  },
);

describe('no drawn sequence finds fault with a receiver that keeps the contract in another way', () => {
  test.each(Object.entries(conformingReceivers))('%s', { timeout: 180_000 }, async (_name, start) => {
    const played = await withReceiver(await start({ secrets: [secret] }), (session) => playDrawn(session, 5, 15));
    expect(complaints(played)).toEqual([]);
  });
});
