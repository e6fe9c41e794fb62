import fc from 'fast-check';

import type { FuzzStep } from '../../fuzzing.ts';
import { bystanding, deliverParts, noteAll } from '../inFlight.ts';
import type { Interruption } from '../receiverModelState.ts';
import { describePart, part, parted, type Part } from '../part.ts';
import { sparseRecord } from '../making.ts';
import { receiverStep } from '../stepKind.ts';

/** The receiver is ended, alone or in the middle of deliveries, and started again. */
interface End extends FuzzStep {
  readonly do: 'kill' | 'stop';
  /** Milliseconds from the first byte until then. Default: none. */
  readonly delay?: number;
  /** What is under way meanwhile. Default: nothing. */
  readonly parts?: readonly Part[];
}

/** It is killed at once, as by a power cut. */
export const kill = ending('kill', 'kill the receiver');

/** It is asked to end, as at a deployment. */
export const stop = ending('stop', 'ask the receiver to end');

function ending(how: Exclude<Interruption, 'pause'>, words: string) {
  return receiverStep<End>({
    kind: how,
    weight: how === 'kill' ? 3 : 2,
    steps: (draw, { processControl }) =>
      processControl
        ? sparseRecord<Pick<End, 'do'>, Omit<End, 'do'>>(
            { do: fc.constant(how) },
            {
              delay: [2, fc.integer({ min: 1, max: 50 })],
              parts: [2, fc.array(part(draw), { minLength: 1, maxLength: 4, size: 'max' })],
            },
          )
        : undefined,
    possible: () => true,
    play: async ({ delay = 0, parts = [] }, kit, modelState) => {
      const all = bystanding(kit, parted(kit, modelState, parts));
      const strike = async (): Promise<void> => {
        if (delay > 0 && all.length > 0) await kit.pause(delay);
        await (how === 'kill' ? kit.processControl.kill() : kit.processControl.stop());
      };
      const [answers] = await Promise.all([deliverParts(kit, all), strike()]);
      noteAll(kit, modelState, all, answers);
      modelState.interruptions.push(how);
      await kit.processControl.start();
    },
    describe: ({ delay = 0, parts = [] }) =>
      parts.length === 0
        ? `${words}, and start it again`
        : `${words} ${delay} ms into these deliveries, and start it again: ${parts.map(describePart).join('; ')}`,
  });
}
