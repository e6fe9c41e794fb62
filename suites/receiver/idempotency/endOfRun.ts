import fc, { type Arbitrary } from 'fast-check';

import type { ReceiverKit } from '../../kit.ts';

/** How long after its first deliveries a run is at its end. */
export interface EndOfRun {
  /** Milliseconds, however short the run is. */
  readonly gap: number;
}

/** One case, at any intensity: the end of a run comes once. */
export function endOfRun(): readonly Arbitrary<EndOfRun>[] {
  return [fc.record({ gap: fc.constant(1200) })];
}

/** Waits until it is there. */
export async function untilEnd(kit: ReceiverKit, { gap }: EndOfRun): Promise<void> {
  await kit.pause(Math.max(0, kit.beginning.at + gap - kit.elapsed()));
}
