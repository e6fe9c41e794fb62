import fc from 'fast-check';

import { bystanding, deliverParts, noteAll } from '../inFlight.ts';
import { describePart, part, parted, type Part } from '../part.ts';
import { sparseRecord } from '../making.ts';
import { receiverStep } from '../stepKind.ts';

/** The receiver stands still for a moment, while its sender gives up and tries again. */
interface Pause {
  readonly do: 'pause';
  /** Milliseconds after which the sender gives up each attempt, and so how long it stands still at least. */
  readonly ms: number;
  /** Milliseconds from the first byte until then. Default: none. */
  readonly delay?: number;
  readonly parts?: readonly Part[];
  /** Whether each is tried again while it stands still, and given up. */
  readonly again?: true;
  /** Whether one more attempt of each is still waiting when it goes on. */
  readonly open?: true;
}

export const pause = receiverStep<Pause>({
  kind: 'pause',
  weight: 3,
  steps: (draw, { processControl }) =>
    processControl
      ? sparseRecord(
          { do: fc.constant('pause' as const), ms: fc.integer({ min: 50, max: 300 }) },
          {
            delay: [2, fc.integer({ min: 1, max: 30 })],
            parts: [2, fc.array(part(draw), { minLength: 1, maxLength: 3, size: 'max' })],
            again: [2, fc.constant(true as const)],
            open: [2, fc.constant(true as const)],
          },
        )
      : undefined,
  possible: () => true,
  play: async ({ ms, delay = 0, parts = [], again = false, open = false }, kit, modelState) => {
    const own = parted(kit, modelState, parts);
    const all = bystanding(kit, own);
    const strike = async (): Promise<void> => {
      if (delay > 0) await kit.pause(delay);
      await kit.processControl.pause();
      if (all.length === 0) await kit.pause(ms);
    };
    const [answers] = await Promise.all([deliverParts(kit, all, ms), strike()]);
    noteAll(kit, modelState, all, answers);
    if (again) noteAll(kit, modelState, own, await deliverParts(kit, own, ms));
    const waiting = open ? deliverParts(kit, own) : Promise.resolve([]);
    const [late] = await Promise.all([waiting, kit.processControl.resume()]);
    if (open) noteAll(kit, modelState, own, late);
    modelState.interruptions.push('pause');
  },
  describe: ({ ms, delay = 0, parts = [], again, open }) =>
    [
      `let the receiver stand still for ${ms} ms`,
      ...(parts.length === 0 ? [] : [`${delay} ms into these deliveries: ${parts.map(describePart).join('; ')}`]),
      ...(again && parts.length > 0 ? ['deliver them again meanwhile'] : []),
      ...(open && parts.length > 0 ? ['and once more, so that they wait when it goes on'] : []),
    ].join(', '),
});
