import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Answer, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { itemOf } from '../../items.ts';
import { finding } from '../../finding.ts';
import { acceptedTwin, attempt, delivered } from '../expectation.ts';
import { expectStillServing } from '../stillServing.ts';

const requirement = 'ROB-1' as const;

/** A check that sends what is hostile, one request a case, and asks whether the receiver still serves. */
export function hostileCheck<V>({
  weight = 0.5,
  ...own
}: Pick<ReceiverCheck<V>, 'id' | 'title' | 'weight' | 'cases' | 'run' | 'hint'>): ReceiverCheck {
  return receiverCheck<V>({
    ...own,
    requirements: [requirement],
    needs: [],
    canary: true,
    schedule: { kind: 'alone' },
    weight,
  });
}

/** RFC 9110: what else than a client error says that a request was refused as such. */
const refusals: readonly number[] = [501, 503, 505];

/** What {@link isRefusal} takes, in words. */
export const anyRefusal = 'a refusal: a 4xx status, 501, 503 or 505, or the connection closed';

/** A check's own hint speaks of what refuses it, and of what becomes of its error. This one: where nothing came back. */
export const unansweredHint =
  'It was neither answered nor cut off in time. Most often an error is thrown where nothing catches it, as in an async handler of ' +
  'Express 4, so that nobody answers: catch it, and answer 400. Otherwise what reads the body waits for more, or takes that ' +
  'long: bound what you parse in size and depth, and close the connection.';

/**
 * Sends what is illegal: it is refused or the connection is closed, it takes no effect, and the receiver still serves.
 *
 * @param takenHint - the hint where it is accepted
 */
export async function expectIllegalRefused(
  kit: ReceiverKit,
  delivery: Delivery,
  difference: string,
  takenHint: string,
): Promise<Finding | undefined> {
  const sent = await delivered(kit, delivery);
  const accepted = kit.accepts(sent.answer) ? takenHint : undefined;
  const hint = sent.answer.kind === 'timed-out' ? unansweredHint : accepted;
  const point = { requirement, difference, hint };
  const unserved = await expectStillServing(kit, point, { attempts: [sent], claim: 'none', point });
  const isLeftOpen = sent.answer.kind === 'timed-out' && isComplete(delivery);
  if (unserved || (isRefusal(sent.answer) && !isLeftOpen)) return unserved;
  return finding(point, {
    attempts: [sent],
    expected: anyRefusal,
    actual: describeAnswer(sent.answer),
    absence: !kit.accepts(sent.answer),
  });
}

/**
 * Sends what is legal but unusual: it gets any answer or the connection is closed, and the receiver still serves.
 *
 * @param how - `timeLimit`: milliseconds that the answer may take (default: those of a delivery); `hint`: where none comes
 */
export async function expectAnswered(
  kit: ReceiverKit,
  delivery: Delivery,
  difference: string,
  { timeLimit, hint }: { readonly timeLimit?: number; readonly hint?: string } = {},
): Promise<Finding | undefined> {
  const point = { requirement, difference };
  const answer = await kit.deliver(delivery, timeLimit);
  const unserved = await expectStillServing(kit, point);
  if (unserved || answer.kind !== 'timed-out') return unserved;
  return finding(
    { ...point, hint },
    {
      attempts: [attempt(delivery, answer)],
      expected: 'any answer, or the connection closed',
      actual: describeAnswer(answer),
      absence: true,
    },
  );
}

interface Unusual {
  readonly delivery: Delivery;
  readonly difference: string;
}

/**
 * The same of several, one after the other, where the receiver may not fail either.
 *
 * @param plain - what they are spellings of: where it is not accepted, it is no spelling that the receiver fails on
 */
export async function expectNoFailure(
  kit: ReceiverKit,
  plain: Delivery,
  all: readonly Unusual[],
): Promise<Finding | undefined> {
  const sent: (Unusual & { readonly answer: Answer })[] = [];
  for (const each of all) sent.push({ ...each, answer: await kit.deliver(each.delivery) });
  const bad = sent.find(({ answer }) => answer.kind === 'timed-out' || isFailure(answer));
  const { difference } = bad ?? itemOf(sent, 0);
  const unserved = await expectStillServing(kit, { requirement, difference });
  if (unserved || bad === undefined) return unserved;
  await acceptedTwin(kit, plain);
  return finding(
    { requirement, difference },
    {
      attempts: [attempt(bad.delivery, bad.answer)],
      expected: 'any answer but a 5xx (501, 503 and 505 may be), or the connection closed',
      actual: describeAnswer(bad.answer),
      absence: true,
    },
  );
}

function isFailure(answer: Answer): boolean {
  return hasStatusClass(answer, 5) && !isRefusal(answer);
}

/** Whether nothing more can be waited for: a body that is announced has come, or there is none to come. */
function isComplete({ wire }: Delivery): boolean {
  return wire === undefined || wire.steps.some((step) => 'send' in step && step.send === 'body' && step.to === 1);
}

/** Whether what cannot be a request was refused as such. One that never became whole may be left without an answer. */
export function isRefusal(answer: Answer): boolean {
  if (answer.kind !== 'answered') return true;
  return hasStatusClass(answer, 4) || refusals.includes(answer.status);
}
