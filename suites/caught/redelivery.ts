import type { Caught, CatchStep } from '../exchange.ts';
import { inDuration } from '../../spec/units.ts';
import { sameTime } from '../service/utcTime.ts';
import type { CaughtCheck, CaughtKit } from './caughtCheck.ts';
import { headerValue } from '../../spec/headerText.ts';

const sameNotification: CaughtCheck = {
  id: 'caught/redelivery/same',
  title: 'sends the same notification again: its event and its time of creation stay',
  requirements: ['NTF-7', 'NTF-2'],
  about: ['id'],
  hint: 'Give a notification its id and its time of creation when it is stored, and send the stored request again.',
  judge: (kit, { caught, earlier: [first] }) => {
    if (first === undefined) return 'not asked';
    const [event, before] = [kit.delivered(caught, 'event'), kit.delivered(first, 'event')];
    if (event !== before) {
      return {
        expected: `what comes again under this id is about ${String(before)}`,
        actual: `it is about ${String(event)}`,
        requirements: ['NTF-2'],
      };
    }
    const [created, at] = [kit.delivered(caught, 'createdAt'), kit.delivered(first, 'createdAt')];
    if (sameTime(created, at)) return 'right';
    return {
      expected: `every attempt says that it was created at ${String(at)}`,
      actual: `this one says ${String(created)}`,
      requirements: ['NTF-7'],
    };
  },
};

const sameId: CaughtCheck = {
  id: 'caught/redelivery/id',
  title: 'sends a redelivery under the id of the first attempt',
  requirements: ['NTF-3'],
  about: ['id'],
  noted: true,
  hint: 'Create the id when the notification is stored, not when it is sent.',
  judge: (kit, { alike, earlier }) => {
    if (earlier.length > 0) return 'right';
    if (alike === undefined || wasAccepted(kit, alike)) return 'not asked';
    return {
      expected: `a retry of ${alike.key} carries its id`,
      actual: 'what was refused came again with another id, and otherwise the same',
    };
  },
};

const sameBytes: CaughtCheck = {
  id: 'caught/redelivery/bytes',
  title: 'sends the bytes of the first attempt again',
  requirements: [],
  about: ['id'],
  noted: true,
  hint: 'Keep the body as it was sent. What is written anew may differ, and receivers may compare bytes.',
  judge: (_, { caught, earlier: [first] }) => {
    if (first === undefined) return 'not asked';
    if (caught.body.equals(first.body)) return 'right';
    return {
      expected: 'the body has the bytes of the first attempt',
      actual: `it differs from byte ${firstDifference(caught.body, first.body)} on`,
    };
  },
};

const afterAcceptance: CaughtCheck = {
  id: 'caught/redelivery/after-acceptance',
  title: 'sends nothing again that was accepted',
  requirements: ['DLV-2'],
  // A user may have asked for it.
  asRequired: true,
  about: ['id'],
  hint: 'Note that a notification was accepted where its attempts are counted, and decide from that alone whether another follows.',
  judge: (kit, { caught, earlier }) => {
    if (earlier.length === 0) return 'not asked';
    const accepted = earlier.find((each) => wasAccepted(kit, each) && (each.end?.at ?? Infinity) <= caught.at);
    if (accepted === undefined) return 'right';
    return {
      expected: 'what was accepted does not come again',
      actual: `it came again, though the answer was ${answerOf(accepted)}`,
    };
  },
};

const count: CaughtCheck = {
  id: 'caught/redelivery/count',
  title: 'makes no more attempts than the contract says',
  requirements: ['STA-2'],
  about: ['retries', 'id'],
  hint: 'The limit counts retries, and the first attempt is none.',
  judge: ({ contract: { delivery } }, { earlier }) => {
    if (earlier.length === 0) return 'not asked';
    if (earlier.length <= delivery.retries) return 'right';
    return { expected: `at most ${delivery.retries + 1} attempts`, actual: `this is attempt ${earlier.length + 1}` };
  },
};

/** Milliseconds by which clocks and networks may shorten a pause. */
const slack = 50;

const retryAfter: CaughtCheck = {
  id: 'caught/redelivery/retry-after',
  title: 'waits as long as Retry-After asked for',
  requirements: [],
  about: ['id'],
  noted: true,
  hint: 'Take the later of your own schedule and what Retry-After asks for.',
  judge: (_, { caught, earlier }) => {
    const before = earlier.at(-1);
    const asked = before === undefined ? undefined : retryAfterOf(before.step);
    if (before?.end === undefined || asked === undefined) return 'not asked';
    const waited = caught.at - before.end.at;
    if (waited + slack >= asked) return 'right';
    return {
      expected: `a pause of ${inDuration(asked)}, as Retry-After asked for`,
      actual: `the pause was ${inDuration(waited)}, shorter than Retry-After asked for`,
    };
  },
};

const spacing: CaughtCheck = {
  id: 'caught/redelivery/spacing',
  title: 'retries after the pauses of its schedule',
  requirements: [],
  about: ['id'],
  noted: true,
  hint: 'Count a pause from the end of the attempt before. A little chance in it is right, and keeps many retries apart.',
  judge: ({ schedule }, { caught, earlier }) => {
    const before = earlier.at(-1);
    const planned = schedule[earlier.length - 1] ?? schedule.at(-1);
    if (before?.end === undefined || planned === undefined || retryAfterOf(before.step) !== undefined)
      return 'not asked';
    const waited = caught.at - before.end.at;
    if (waited >= planned * 0.5 - slack && waited <= planned * 2 + 1000) return 'right';
    return {
      expected: `about ${inDuration(planned)} after the attempt before`,
      actual: `it came ${inDuration(waited)} after it`,
    };
  },
};

/** What can be said of an attempt that is not the first of its notification. */
export const redeliveryChecks: readonly CaughtCheck[] = [
  sameNotification,
  sameId,
  sameBytes,
  afterAcceptance,
  count,
  retryAfter,
  spacing,
];

function wasAccepted({ contract: { delivery } }: CaughtKit, { end }: Caught): boolean {
  return end?.kind === 'answered' && delivery.acceptedStatuses.includes(end.status);
}

function answerOf({ end, number }: Caught): string {
  return end?.kind === 'answered' ? `${end.status} to attempt ${number}` : 'acceptance';
}

function retryAfterOf(step: CatchStep): number | undefined {
  if (step.do !== 'respond') return undefined;
  const text = headerValue(step.headers ?? [], 'Retry-After');
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) * 1000 : undefined;
}

function firstDifference(one: Buffer, other: Buffer): number {
  const at = one.findIndex((byte, place) => byte !== other[place]);
  return at < 0 ? one.length : at;
}
