import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type Finding } from '../../check.ts';
import type { Delivery, WireStep } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { attempt, finding } from '../expectation.ts';
import { expectStillServing } from '../stillServing.ts';
import { expectAnswered } from './hostile.ts';

const mebibyte = 1024 * 1024;

/** Mebibytes of a body without an end, after which no receiver can say that it may yet be one that it takes. */
const without = 128;
/** Milliseconds in which a receiver says that it has had enough. */
const patience = 5000;

interface OversizedBody {
  readonly notification: Notification;
  readonly mebibytes: number;
  readonly signed: boolean | 'without end';
}

/** GAP-23: how much a receiver takes is open, but it must set a bound and go on serving. */
export const oversizedBodies = receiverCheck<OversizedBody>({
  id: 'receiver/robustness/oversized-bodies',
  title: 'survives bodies that are far too large, or have no end',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.05,
  cases: (draw) => [
    ...[true, false].map((signed) =>
      fc.record({
        mebibytes: fc.integer({ min: 17, max: 24 }),
        signed: fc.constant(signed),
        notification: draw.notification(),
      }),
    ),
    fc.record({
      mebibytes: fc.constant(without),
      signed: fc.constant('without end' as const),
      notification: fc.noShrink(draw.notification()),
    }),
  ],
  run: (kit, { notification, mebibytes, signed }) => {
    if (signed === 'without end') return expectCutOff(kit, kit.compose(notification), mebibytes);
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

/** Nobody can verify a body that has no end: it is refused on the way, or the connection is closed. */
async function expectCutOff(kit: ReceiverKit, plain: Delivery, mebibytes: number): Promise<Finding | undefined> {
  const body = Buffer.concat([plain.body.subarray(0, -1), Buffer.from(`,"x":"${'x'.repeat(mebibyte)}`)]);
  const delivery: Delivery = { ...plain, body, wire: { framing: 'chunked', steps: goingOn(mebibytes) } };
  const point = {
    requirement: 'ROB-1',
    difference: `a chunked body without an end (up to ${mebibytes} MiB of it)`,
  } as const;
  const answer = await kit.deliver(delivery, Math.min(kit.timeout, patience));
  const unserved = await expectStillServing(kit, point);
  if (unserved || answer.kind !== 'timed-out') return unserved;
  return finding(
    [attempt(delivery, answer)],
    { ...point, hint: endless },
    {
      expected: 'a refusal, or the connection closed, before all of it was sent',
      actual: describeAnswer(answer),
      absence: true,
    },
  );
}

const endless =
  'Count the bytes while you read them, and stop at a limit: a chunked body says nowhere how long it is, so it does not help ' +
  'to look at Content-Length. http.MaxBytesReader (Go), the limit of express.raw (Node) and client_max_body_size (nginx) ' +
  'do that; request.body() of Starlette and FastAPI, io.ReadAll and a loop over the chunks do not.';

/** The last piece is a part of the body, so that what ends a chunked body is never sent. */
function goingOn(times: number): readonly WireStep[] {
  const piece = { send: 'body', from: 0, to: 1 } as const;
  return [{ send: 'head' }, ...Array<WireStep>(times).fill(piece), { ...piece, to: 0.5 }];
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
