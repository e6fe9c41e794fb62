import { describeAnswer, hasStatusClass } from '../../answer.ts';
import type { Finding } from '../../check.ts';
import type { Answer, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { attempt, finding } from '../expectation.ts';
import { expectStillServing } from '../stillServing.ts';

const requirement = 'ROB-1' as const;

/** RFC 9110: what else than a client error says that a request was refused as such. */
const refusals: readonly number[] = [501, 503, 505];

/** Sends what is illegal: it is refused or the connection is closed, it takes no effect, and the receiver still serves. */
export async function expectIllegalRefused(
  kit: ReceiverKit,
  delivery: Delivery,
  difference: string,
): Promise<Finding | undefined> {
  const point = { requirement, difference };
  const sent = attempt(delivery, await kit.deliver(delivery));
  const unserved = await expectStillServing(kit, point, { attempts: [sent], claim: 'none', point });
  if (unserved || isRefusal(sent.answer)) return unserved;
  return finding([sent], point, {
    expected: 'a refusal: a 4xx status, 501, 503 or 505, or the connection closed',
    actual: describeAnswer(sent.answer),
    absence: !kit.accepts(sent.answer),
  });
}

/** Sends what is legal but unusual: it gets any answer or the connection is closed, and the receiver still serves. */
export async function expectAnswered(
  kit: ReceiverKit,
  delivery: Delivery,
  difference: string,
): Promise<Finding | undefined> {
  const point = { requirement, difference };
  const answer = await kit.deliver(delivery);
  const unserved = await expectStillServing(kit, point);
  if (unserved || answer.kind !== 'timed-out') return unserved;
  return finding([attempt(delivery, answer)], point, {
    expected: 'any answer, or the connection closed',
    actual: describeAnswer(answer),
    absence: true,
  });
}

/** A request that never became whole may be left without an answer. */
function isRefusal(answer: Answer): boolean {
  if (answer.kind !== 'answered') return true;
  return hasStatusClass(answer, 4) || refusals.includes(answer.status);
}
