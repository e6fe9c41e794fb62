import { statusClasses } from '../../spec/statusClasses.ts';
import { describeAnswer } from '../answer.ts';
import { Unproven, type Finding } from '../check.ts';
import type { Answer, Attempt, Delivery } from '../delivery.ts';
import { finding, type Point } from '../finding.ts';
import { itemOf, pairs } from '../items.ts';
import type { ReceiverKit } from '../kit.ts';
import { forge, plainForgery } from './forgery.ts';

/** The accepting statuses as words: `200, 201, 202 or 204`. Default: those by which the receiver accepts. */
export function acceptedStatuses(kit: ReceiverKit, accepted = kit.acceptedStatuses): string {
  const statuses = statusClasses(accepted);
  return statuses.length < 2 ? statuses.join() : `${statuses.slice(0, -1).join(', ')} or ${statuses.at(-1)}`;
}

/**
 * Delivers what every right receiver accepts, as the neighbour of a case that follows.
 *
 * @throws Unproven where it is not accepted: then the case would show nothing
 */
export async function acceptedTwin(kit: ReceiverKit, delivery: Delivery): Promise<Attempt> {
  const sent = await deliveredWithRetries(kit, delivery);
  if (!kit.accepts(sent.answer)) throw notAccepted(sent.answer);
  return sent;
}

/** Why a case shows nothing: the delivery that it is compared with was refused. */
export function notAccepted(answer: Answer): Unproven {
  return new Unproven(`the plain delivery that a case is compared with was not accepted: ${describeAnswer(answer)}`);
}

/**
 * The delivery must be accepted, if need be after the retries that a service would make.
 *
 * @param recovery - milliseconds in which any refusal may pass; see {@link ReceiverKit.deliverWithRetries}
 */
export async function expectAccepted(
  kit: ReceiverKit,
  delivery: Delivery,
  point: Point,
  recovery = 0,
): Promise<Finding | undefined> {
  const answer = await kit.deliverWithRetries(delivery, recovery);
  if (kit.accepts(answer)) return undefined;
  return finding(point, {
    attempts: [{ delivery, answer }],
    expected: `the delivery is accepted: status ${acceptedStatuses(kit)}`,
    actual: describeAnswer(answer),
    absence: true,
  });
}

/**
 * The delivery must be refused: answered, and not with an accepting status.
 *
 * @throws Unproven where no answer came at all: a broken connection is no refusal
 */
export async function expectRefused(kit: ReceiverKit, delivery: Delivery, point: Point): Promise<Finding | undefined> {
  const answer = await kit.deliver(delivery);
  if (answer.kind !== 'answered') {
    throw new Unproven(`no refusal was seen: ${describeAnswer(answer)}`);
  }
  return kit.accepts(answer) ? answeredForgery(kit, { delivery, answer }, point) : undefined;
}

/** Milliseconds in which a plain delivery takes effect, where effects are compared at all. */
const soon = 1000;

const onlyAnswered =
  'It took no effect, and a plain delivery after it did: it was refused, and only the status says otherwise. The answer may be sent ' +
  'before the signature is verified, the error put into the body of a 200, or every error turned into 200 by a middleware, an error ' +
  'handler or the proxy in front. Answer 401 or 403: the sender takes a 2xx for delivered.';

/** The finding that something was accepted which had to be refused. Where it took no effect, it is the status that is wrong. */
export async function answeredForgery(kit: ReceiverKit, accepted: Attempt, point: Point): Promise<Finding> {
  const hint = (await wasOnlyAnswered(kit, accepted)) ? onlyAnswered : point.hint;
  return acceptedForgery(kit, accepted, { ...point, hint });
}

/** The same of a forgery that was sent several times. Where a copy of it was refused, it is what came before that matters. */
export async function acceptedAmong(kit: ReceiverKit, sent: readonly Attempt[], point: Point): Promise<Finding> {
  const accepted = sent.filter(({ answer }) => kit.accepts(answer));
  const found = accepted.length === sent.length ? answeredForgery : acceptedForgery;
  return found(kit, itemOf(accepted, 0), point);
}

async function wasOnlyAnswered(kit: ReceiverKit, { delivery }: Attempt): Promise<boolean> {
  if (!kit.probed || ![delivery, kit.control].every(({ event }) => kit.isEffective(event))) return false;
  const later = await delivered(kit, kit.compose(kit.control));
  if (!kit.accepts(later.answer)) return false;
  const { id } = later.delivery;
  await Promise.race([kit.untilEffect([id]).catch(() => undefined), kit.pause(soon)]);
  const effects = await kit.effectsSoFar([delivery.id, id]).catch(() => new Map<string, number>());
  return (effects.get(id) ?? 0) > 0 && effects.get(delivery.id) === 0;
}

/** The finding that something was accepted which had to be refused. */
export function acceptedForgery(kit: ReceiverKit, accepted: Attempt, point: Point): Finding {
  return finding(point, {
    attempts: [accepted],
    expected: `the delivery is refused: any status but ${acceptedStatuses(kit)}`,
    actual: `${describeAnswer(accepted.answer)}, ${acceptanceOf(kit, accepted.answer)}`,
    absence: false,
  });
}

/** By what an answer is known to be an acceptance. */
function acceptanceOf({ contract }: ReceiverKit, answer: Answer): string {
  const isDeclared = answer.kind === 'answered' && contract.delivery.acceptedStatuses.includes(answer.status);
  return isDeclared ? 'which says that it was accepted' : 'the answer that a plain delivery gets, too';
}

/** An answer and what it answers. */
export function attempt(delivery: Delivery, answer: Answer): Attempt {
  return { delivery, answer };
}

/** The same of several. */
export function attemptsOf(deliveries: readonly Delivery[], answers: readonly Answer[]): readonly Attempt[] {
  return pairs(deliveries, answers).map((pair) => attempt(...pair));
}

/** Delivers it once. @param within - milliseconds after which its sender gives up. Default: the time-out of the run */
export async function delivered(kit: ReceiverKit, delivery: Delivery, within?: number): Promise<Attempt> {
  return attempt(delivery, await kit.deliver(delivery, within));
}

/** Delivers it, and again where a service would. */
export async function deliveredWithRetries(kit: ReceiverKit, delivery: Delivery): Promise<Attempt> {
  return attempt(delivery, await kit.deliverWithRetries(delivery));
}

/** All at the same moment; those that are not accepted then, again by themselves. @throws Unproven where one is not accepted */
export async function acceptedTogether(kit: ReceiverKit, deliveries: readonly Delivery[]): Promise<readonly Attempt[]> {
  const answers = await kit.together(deliveries);
  return Promise.all(
    pairs(deliveries, answers).map(async ([delivery, answer]) =>
      kit.accepts(answer) ? attempt(delivery, answer) : acceptedTwin(kit, delivery),
    ),
  );
}

/**
 * The delivery must be accepted, whatever it says: what is refused for its content is a finding.
 *
 * @throws Unproven where it was refused for its signature: that is the matter of other checks (VRF-1)
 */
export async function expectRead(kit: ReceiverKit, delivery: Delivery, point: Point): Promise<Finding | undefined> {
  const found = await expectAccepted(kit, delivery, point);
  await demandRead(kit, found);
  return found;
}

/** @throws Unproven where what was found refused was refused for its signature */
export async function demandRead(kit: ReceiverKit, found: Pick<Finding, 'attempts'> | undefined): Promise<void> {
  const refused = found?.attempts.at(-1);
  if (refused === undefined || !(await isRefusedAsForged(kit, refused.answer))) return;
  throw new Unproven(
    `${describeAnswer(refused.answer)}, as to a forged delivery, and not to one that cannot be read: the right signature was refused (VRF-1), not what the body says`,
    { doubts: ['VRF-1'] },
  );
}

/** No JSON, and JSON that is no notification: what verifies the JSON that it writes anew takes no other signature for right. */
const unreadable = [
  { bodies: ['{', '{ ', '{  '], mayBeTaken: true },
  { bodies: ['{"a":1}', '{"a":2}'], mayBeTaken: false },
];

/**
 * Whether an answer is the one to a forgery, and not the one to what is signed and no notification. The forgery has plain content:
 * what is refused for its size, say, is refused so without a look at its signature.
 */
export async function isRefusedAsForged(kit: ReceiverKit, answer: Answer): Promise<boolean> {
  if (kit.secrets.length === 0 || answer.kind !== 'answered') return false;
  const plain = () => kit.compose(kit.control);
  const forged = await kit.deliver(forge(kit, plain(), plainForgery));
  if (!isSame(forged, answer)) return false;
  // What refuses right signatures by chance refuses that one so as well; and a digest that is refused is refused again.
  for (const { bodies, mayBeTaken } of unreadable)
    for (const body of bodies) {
      const unread = await kit.deliver(kit.withBody(plain(), Buffer.from(body)));
      // What takes all JSON may refuse every notification that it cannot read as it refuses a forgery.
      if (!isSame(unread, answer) && (mayBeTaken || !kit.accepts(unread))) return true;
    }
  return false;
}

function isSame(one: Answer, other: Answer): boolean {
  return one.kind === 'answered' && other.kind === 'answered' && one.status === other.status;
}
