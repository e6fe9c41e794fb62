import fc from 'fast-check';

import type { Delivery, WireStep } from '../../../delivery.ts';
import type { ReceiverKit } from '../../../kit.ts';
import { onWire, upTo } from '../../../receiver/onWire.ts';
import type { Entry, ReceiverModelState } from '../receiverModelState.ts';
import { describeMaking, making, type Making, sparseRecord } from '../making.ts';
import { receiverStep } from '../stepKind.ts';
import { slot, type Slot } from '../slot.ts';

/** Where the connection breaks. */
const places = ['the body', 'the answer', 'the last byte', 'the head'] as const;

/** A genuine delivery whose connection breaks on the way: what the slot holds, or something new where it is empty. */
interface BreakOff {
  readonly do: 'break';
  readonly slot: Slot;
  readonly at: (typeof places)[number];
  /** What part of the body has been sent then, where it breaks in the body. Default: half of it. */
  readonly percent?: number;
  /** The sender ends its side in an orderly way, rather than by a reset. */
  readonly closes?: true;
  /** Milliseconds until then, from the last byte that is sent. Default: 5, in which most of it arrives. */
  readonly ms?: number;
  readonly what?: Making;
}

const untilItArrives = 5;

export const breakOff = receiverStep<BreakOff>({
  kind: 'break',
  weight: 3,
  steps: (draw) =>
    sparseRecord(
      { do: fc.constant('break' as const), slot, at: fc.constantFrom(...places) },
      {
        percent: [2, fc.nat({ max: 99 })],
        ms: [4, fc.nat({ max: 60 })],
        closes: [4, fc.constant(true as const)],
        what: [4, making(draw)],
      },
    ),
  possible: () => true,
  play: async (step, kit, modelState) => {
    const entry = step.what ? modelState.make(kit, step.slot, step.what) : modelState.atOrNew(kit, step.slot);
    const answer = await kit.deliver(brokenOff(kit, entry.genuine, step));
    entry.begun = true;
    if (step.at === 'the answer') modelState.heard(kit, entry, { delivery: entry.genuine, answer });
    else if (entry.accepted === 0) entry.failed += 1;
    judgedLater(entry, modelState);
  },
  describe: ({ slot: name, at, percent = 50, closes, ms, what }) =>
    [
      `begin to deliver ${name}`,
      ...(what ? ['new', ...describeMaking(what)] : []),
      `${closes ? 'close' : 'break'} the connection ${inWords(at, percent)}`,
      ...(ms === undefined ? [] : [`${ms} ms later`]),
    ].join(', '),
});

function inWords(at: BreakOff['at'], percent: number): string {
  if (at === 'the head') return 'within the headers';
  if (at === 'the body') return `after ${percent}% of the body`;
  return at === 'the answer' ? 'before the answer' : 'before the last byte';
}

function brokenOff(
  kit: ReceiverKit,
  delivery: Delivery,
  { at, percent = 50, closes, ms = untilItArrives }: BreakOff,
): Delivery {
  const end: readonly WireStep[] = [{ pause: ms }, { end: closes ? 'fin' : 'rst' }];
  const { length } = delivery.body;
  const begun = Buffer.from(`${kit.contract.delivery.method} `).toString('base64');
  const steps: Readonly<Record<BreakOff['at'], readonly WireStep[]>> = {
    'the head': [{ send: 'bytes', base64: begun }, ...end],
    'the body': upTo(percent / 100, ...end),
    'the last byte': upTo((length - 1) / length, ...end),
    'the answer': upTo(1, ...end),
  };
  return onWire(delivery, steps[at]);
}

function judgedLater({ accepted }: Entry, modelState: ReceiverModelState): void {
  if (accepted === 0) modelState.judge('RTY-1');
}
