import fc from 'fast-check';

import type { Delivery, WireStep, Attempt } from '../../../delivery.ts';
import type { ReceiverKit } from '../../../kit.ts';
import { onWire, upTo } from '../../../receiver/onWire.ts';
import type { Entry, ReceiverModelState } from '../receiverModelState.ts';
import { describeMaking, making, type Making, sparseRecord, without, written } from '../making.ts';
import { receiverStep } from '../stepKind.ts';
import { slot, type Slot } from '../slot.ts';
import { describeAnswer } from '../../../answer.ts';
import { finding } from '../../../finding.ts';
import { acceptedStatuses } from '../../../receiver/expectation.ts';
import { anyRefusal, isRefusal } from '../../../receiver/robustness/hostile.ts';
import { isNonsense, spoilings, spoilt, type Spoiling } from '../../../receiver/spoiling.ts';
import { Mistake } from '../mistake.ts';

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

/** A body that no receiver can have understood, signed as it is: what the slot holds, spoilt. */
interface Spoil {
  readonly do: 'spoil';
  readonly slot: Slot;
  readonly how: Spoiling;
}

/** What is no JSON at all, and so has to be refused as such. */
const illegal: ReadonlySet<Spoiling> = new Set([
  'the body ends in the middle',
  'a comma stands before the last brace',
  'text follows the JSON',
  'the JSON has single quotes',
]);
export const spoil = receiverStep<Spoil>({
  kind: 'spoil',
  weight: 1,
  steps: () =>
    fc.record(
      { do: fc.constant('spoil' as const), slot, how: fc.constantFrom(...spoilings) },
      { noNullPrototype: true },
    ),
  possible: () => true,
  play: async ({ slot: name, how }, kit, modelState) => {
    const entry = modelState.atOrNew(kit, name);
    // What is spoilt is the compact form: white space at the end would keep some of it as it was.
    const compact = written(kit, without(entry.writing, 'form'), entry.genuine.id);
    const delivery = kit.withBody(compact, spoilt(compact.body, how, kit.contract.delivery.members.id));
    if (delivery.body.equals(compact.body) || !isNonsense(kit.contract, how, delivery.body)) return;
    const answer = await kit.deliver(delivery);
    modelState.judge('RCV-5', ...(illegal.has(how) ? (['ROB-1'] as const) : []));
    entry.spoilt += 1;
    if (entry.accepted === 0) entry.failed += 1;
    if (kit.accepts(answer)) throw accepted(kit, { delivery, answer }, how);
    if (illegal.has(how) && !isRefusal(answer)) throw failed({ delivery, answer }, how);
  },
  describe: ({ slot: name, how }) => `deliver ${name} spoilt: ${how}`,
});

function accepted(kit: ReceiverKit, sent: Attempt, difference: string): Mistake {
  const seen = {
    expected: `not ${acceptedStatuses(kit)}: the receiver cannot have taken this as a notification`,
    actual: describeAnswer(sent.answer),
    absence: false,
  };
  return new Mistake(finding({ requirement: 'RCV-5', difference }, { attempts: [sent], ...seen }), 'accepted');
}

function failed(sent: Attempt, difference: string): Mistake {
  const seen = {
    expected: anyRefusal,
    actual: describeAnswer(sent.answer),
    absence: true,
  };
  return new Mistake(finding({ requirement: 'ROB-1', difference }, { attempts: [sent], ...seen }), 'failed');
}
