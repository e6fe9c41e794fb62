import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type Finding } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { attempt, finding } from '../expectation.ts';
import { expectStillServing } from '../stillServing.ts';
import { expectAnswered } from './hostile.ts';

const mebibyte = 1024 * 1024;

/** Mebibytes of a body that does not say how long it is: more than a receiver may have to take (GAP-23). */
const boundless = 20;

interface OversizedBody {
  readonly notification: Notification;
  readonly mebibytes: number;
  readonly signed: boolean | 'without a length';
}

/** GAP-23: how much a receiver takes is open, but it must go on serving, and a bound that it sets must hold. */
export const oversizedBodies = receiverCheck<OversizedBody>({
  id: 'receiver/robustness/oversized-bodies',
  title: 'survives bodies that are far too large, and keeps its bound where none says how long it is',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.05,
  cases: (draw) => [
    ...[true, false].map((signed) =>
      fc.record({
        mebibytes: fc.integer({ min: 17, max: 18 }),
        signed: fc.constant(signed),
        notification: draw.notification(),
      }),
    ),
    fc.record({
      mebibytes: fc.constant(boundless),
      signed: fc.constant('without a length' as const),
      notification: fc.noShrink(draw.notification()),
    }),
  ],
  run: (kit, { notification, mebibytes, signed }) => {
    if (signed === 'without a length') return expectCutOff(kit, kit.compose(notification), mebibytes);
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

/**
 * A body that says nowhere how long it is. Many a server reads on to its end and throws it away before it answers, so that
 * only an acceptance shows that all of it was collected: against a bound that the receiver has, where it refuses the same
 * body with a length.
 */
async function expectCutOff(kit: ReceiverKit, plain: Delivery, mebibytes: number): Promise<Finding | undefined> {
  const body = Buffer.concat([plain.body.subarray(0, -1), Buffer.from(`,"x":"${'x'.repeat(mebibytes * mebibyte)}"}`)]);
  const signed = kit.withBody(plain, body);
  const framed = (framing: 'chunked' | 'length'): Delivery => ({
    ...signed,
    wire: { framing, steps: inParts(mebibytes) },
  });
  const [sent, announced] = [framed('chunked'), framed('length')];
  const point = { requirement: 'ROB-1', difference: `a chunked body that goes on for ${mebibytes} MiB` } as const;
  const answer = await kit.deliver(sent);
  const unserved = await expectStillServing(kit, point);
  if (unserved || !kit.accepts(answer)) return unserved;
  const bounded = await kit.deliver(announced);
  if (kit.accepts(bounded)) {
    kit.observe('GAP-23', `a chunked body of ${mebibytes} MiB is taken`, describeAnswer(answer));
    return undefined;
  }
  return finding(
    [attempt(announced, bounded), attempt(sent, answer)],
    { ...point, hint: endless },
    {
      expected: 'a refusal, or the connection closed, as where Content-Length names its size',
      actual: `${describeAnswer(answer)}: all of it was read, past the bound that the receiver has`,
      absence: false,
    },
  );
}

const endless =
  'Count the bytes while you read them, and stop at a limit: a chunked body says nowhere how long it is, so it does not help ' +
  'to look at Content-Length. http.MaxBytesReader (Go), the limit of express.raw (Node) and client_max_body_size (nginx) ' +
  'do that; request.body() of Starlette and FastAPI, io.ReadAll and a loop over the chunks do not.';

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
