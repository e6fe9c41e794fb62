import fc from 'fast-check';

import type { FuzzStep } from '../../fuzzing.ts';
import type { Interruption, ReceiverModelState } from '../receiverModelState.ts';
import { describePart, part, parted, type Part, type Parted } from './deliver.ts';
import { sparseRecord } from '../making.ts';
import { receiverStep } from '../stepKind.ts';
import type { Answer, Delivery } from '../../../delivery.ts';
import type { ReceiverKit } from '../../../kit.ts';
import { pairs } from '../../../items.ts';

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

/** A delivery that is under way when an interruption comes; without an entry it is a bystander, which is never delivered again. */
interface InFlight {
  readonly entry?: Parted['entry'];
  readonly delivery: Delivery;
}

/** The same with a bystander, where there is anything: what becomes of it shows what a redelivery cannot be blamed for. */
function bystanding(kit: ReceiverKit, parts: readonly Parted[]): readonly InFlight[] {
  const [first] = parts;
  return first ? [...parts, { delivery: kit.again(first.entry.genuine) }] : [];
}

/**
 * Delivers all of them at once.
 *
 * @param timeLimit - milliseconds after which their sender gives up. Default: the time-out of the run
 */
function deliverParts(kit: ReceiverKit, all: readonly InFlight[], timeLimit?: number): Promise<readonly Answer[]> {
  return Promise.all(all.map(({ delivery }) => kit.deliver(delivery, timeLimit)));
}

/** Notes what came back, in the order of the deliveries. To be called before the interruption is noted. */
function noteAll(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  all: readonly InFlight[],
  answers: readonly Answer[],
): void {
  for (const [{ entry, delivery }, answer] of pairs(all, answers)) {
    const sent = { delivery, answer };
    if (entry) modelState.heard(kit, entry, sent);
    else modelState.bystanders.push(sent);
  }
}
