import fc from 'fast-check';

import { largeNat } from '../../../generators/schema/largeNat.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type Finding } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { attempt, expectAccepted, finding, type Point } from '../expectation.ts';
import { expectAnswered } from './hostile.ts';
import { expectStillServing } from '../stillServing.ts';

const mebibyte = 1024 * 1024;
/** Milliseconds for slow bodies to arrive before the fast one is sent. */
const headStart = 20;

/** Section 4.4: one slow sender is not the others' problem. */
export const slowBodies = receiverCheck<{ notification: Notification; slow: number; sent: number }>({
  id: 'receiver/robustness/slow-bodies',
  title: 'serves others while some bodies arrive slowly',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.2,
  cases: (draw) => [
    fc.record({
      slow: fc.integer({ min: 1, max: 20 }),
      sent: fc.double({ min: 0, max: 0.99, noNaN: true }),
      notification: draw.notification(),
    }),
  ],
  run: async (kit, { notification, slow, sent }) => {
    const held = Array.from({ length: slow }, () => heldAt(kit.compose(notification), sent));
    const fast = kit.compose(kit.control);
    const { result } = await kit.besideHeld(held, async () => {
      await kit.pause(headStart);
      return expectAccepted(kit, fast, {
        requirement: 'ROB-1',
        difference: `while ${slow} other bodies were on their way`,
        concurrent: true,
      });
    });
    return result ?? (await expectStillServing(kit, { requirement: 'ROB-1' }));
  },
  hint: 'Read bodies without blocking, and hold no lock and no worker while you wait for the rest of one.',
});

/** Section 4.4: connections on which nothing comes cost nothing. */
export const idleConnections = receiverCheck<{ connections: number }>({
  id: 'receiver/robustness/idle-connections',
  title: 'serves others while many connections are idle',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.1,
  cases: () => [fc.record({ connections: largeNat(150) })],
  run: async (kit, { connections }) => {
    const found = await kit.besideIdle(connections, () =>
      expectFreshlyAccepted(kit, {
        requirement: 'ROB-1',
        difference: `beside ${connections} idle connections`,
        concurrent: true,
      }),
    );
    return found ?? (await expectStillServing(kit, { requirement: 'ROB-1' }));
  },
  hint: 'A server with one process or thread a connection is blocked by clients that send nothing. Close idle connections after a while.',
});

/** GAP-23: how much a receiver takes is open, but it must set a bound and live. */
export const oversizedBodies = receiverCheck<{ notification: Notification; mebibytes: number; signed: boolean }>({
  id: 'receiver/robustness/oversized-bodies',
  title: 'survives bodies that are far too large',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.05,
  cases: (draw) =>
    [true, false].map((signed) =>
      fc.record({
        mebibytes: fc.integer({ min: 17, max: 24 }),
        signed: fc.constant(signed),
        notification: draw.notification(),
      }),
    ),
  run: (kit, { notification, mebibytes, signed }) => {
    const padded = (body: Buffer) =>
      Buffer.concat([body.subarray(0, -1), Buffer.from(`,"x":"${'x'.repeat(mebibytes * mebibyte)}"}`)]);
    const delivery = signed
      ? kit.compose(notification, { rewrite: padded })
      : withBody(kit.compose(notification), padded);
    return expectAnswered(
      kit,
      { ...delivery, wire: { framing: 'length', steps: inParts(mebibytes) } },
      `a body of ${mebibytes} MiB`,
    );
  },
  hint: 'Limit the size of a body before you read it into memory, and answer 413 beyond the limit.',
});

/** A plain delivery over a connection of its own is accepted. */
async function expectFreshlyAccepted(kit: ReceiverKit, point: Point): Promise<Finding | undefined> {
  const plain = kit.compose(kit.control);
  const [answer] = await kit.together([plain]);
  if (kit.accepts(answer!)) return undefined;
  return finding([attempt(plain, answer!)], point, {
    expected: 'a plain delivery over a new connection is accepted',
    actual: describeAnswer(answer!),
    absence: true,
  });
}

function heldAt(delivery: Delivery, sent: number): Delivery {
  const steps = [
    { send: 'head' },
    { send: 'body', from: 0, to: sent },
    { hold: true },
    { send: 'body', from: sent, to: 1 },
  ] as const;
  return { ...delivery, wire: { framing: 'length', steps } };
}

function withBody(delivery: Delivery, change: (body: Buffer) => Buffer): Delivery {
  return { ...delivery, body: change(delivery.body) };
}

function inParts(parts: number) {
  const body = Array.from(
    { length: parts },
    (_, n) => ({ send: 'body', from: n / parts, to: (n + 1) / parts }) as const,
  );
  return [{ send: 'head' }, ...body] as const;
}
