import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { hasTimestamp } from '../../../spec/signatureScheme.ts';
import { describeAnswer } from '../../answer.ts';
import { type CaseKind, type Finding, Unproven } from '../../check.ts';
import type { Answer, Attempt, Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import { itemOf, pairs } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { EffectClaim } from '../effect.ts';
import {
  acceptedForgery,
  acceptedAmong,
  attempt,
  delivered,
  deliveredWithRetries,
  notAccepted,
} from '../expectation.ts';
import { describeForgery } from '../describeForgery.ts';
import { hasEarlyZero } from '../digestChange.ts';
import { forgeryHint, hintBesideOthers } from './forgeryHint.ts';
import { composedSo } from './everyDigest.ts';
import { redelivered, stillDone, takenAfterwards } from './genuineAfterwards.ts';
import { forge, type Forgery, malformedForgeries, malformedTimestamps, plainForgeries } from '../forgery.ts';

/** Orders in which right deliveries stand close to the forged ones. */
export const besideOthers = [
  'after two forged ones',
  'after many forged ones',
  'beside',
  'before, on the same connection',
  'before, and done',
] as const;

export interface ForgedCase {
  readonly notification: Notification;
  readonly forgery: Forgery;
  /**
   * When the genuine delivery of the same id comes, if it does. On the same connection it is one of another id. Where it is
   * done, it has taken effect, and does not come again.
   */
  readonly genuine: 'never' | 'before' | 'after' | (typeof besideOthers)[number];
}

/** A case of each of these forgeries. */
export function forgedCases(draw: Draw, forgeries: readonly Arbitrary<Forgery>[]): readonly Arbitrary<ForgedCase>[] {
  return forgeries.map((forgery) => forgedCase(draw.notification(), forgery));
}

/** Of a timestamp, where the scheme has one, as of the signature itself. */
export function malformedCases(draw: Draw): readonly CaseKind<ForgedCase>[] {
  const timestamps = hasTimestamp(draw.scheme) ? malformedTimestamps.map((group) => forgedCases(draw, group)) : [];
  return [...forgedCases(draw, malformedForgeries), ...timestamps];
}

export function forgedCase(
  notification: Arbitrary<Notification>,
  forgery: Arbitrary<Forgery>,
  orders: readonly ForgedCase['genuine'][] = ['never', 'after', 'before'],
): Arbitrary<ForgedCase> {
  return fc.record({ forgery, genuine: fc.constantFrom(...orders), notification });
}

/** What became of a forgery: a finding, or what is left to judge. */
export interface Forged {
  readonly finding?: Finding;
  /** A plain delivery before it. */
  readonly twin: Attempt;
  /** The forgery and its answer, the last one where it was sent more than once. */
  readonly refused: Attempt;
  readonly claims: readonly EffectClaim[];
}

/**
 * Sends a forgery, and the genuine delivery before, beside or after it where the case says so.
 *
 * @throws Unproven where a plain delivery gets no answer
 */
export async function sendForged(
  kit: ReceiverKit,
  { notification, forgery, genuine: order }: ForgedCase,
): Promise<Forged> {
  const genuine = composedFor(kit, notification, forgery);
  const isDone = order === 'before, and done';
  const plain = order === 'before' || isDone ? genuine : kit.compose(notification);
  const twin = await deliveredWithRetries(kit, plain);
  const wasSeen = isDone && (await tookEffect(kit, plain.id));
  // One that went away has refused nothing.
  if (twin.answer.kind !== 'answered') throw notAccepted(twin.answer);
  const attack = forge(kit, genuine, forgery);
  const sent = await attempts(kit, order, { attack, genuine, other: kit.compose(notification) });
  const forged = sent.filter(({ delivery }) => delivery === attack);
  const refused = itemOf(forged, forged.length - 1);
  const accepted = forged.find(({ answer }) => kit.accepts(answer));
  const point = {
    requirement: 'VRF-2',
    twin,
    ...forgedIn(forgery, order),
    hint: hints[order] ?? forgeryHint(forgery),
  } as const;
  const seen = { twin, refused, claims: [] };
  if (!kit.accepts(twin.answer)) return { ...seen, finding: await forgedInstead(kit, twin, refused, forgery) };
  if (accepted) {
    const hint = await hintOf(kit, { notification, forgery, genuine: order });
    const found = besides(await acceptedAmong(kit, forged, { ...point, hint }), accepted, sent);
    return { ...seen, finding: plain === genuine ? { ...found, attempts: [twin, ...found.attempts] } : found };
  }
  // Where the genuine delivery takes effect under the same id, a forged one of its own shows whether it does as well.
  const isAlone = order === 'never' || order === 'before, on the same connection';
  const none: EffectClaim = {
    attempts: [isAlone ? refused : await sentAlone(kit, notification, forgery)],
    claim: 'none',
    point,
  };
  // Beside another genuine one, what is lost may be lost to that one.
  if (isAlone || order === 'beside') return { ...seen, claims: [none] };
  if (isDone) return { ...seen, claims: [none, { ...stillDone(twin, forgery), isDone: wasSeen }] };
  const later = order === 'before' ? redelivered : takenAfterwards;
  const { claim, finding } = await later(kit, genuine, { twin, forgery });
  return { ...seen, claims: claim ? [none, claim] : [none], ...(finding && { finding }) };
}

/** @throws Unproven where the forgery needs a digest that no delivery has */
function composedFor(kit: ReceiverKit, notification: Notification, { kind }: Forgery): Delivery {
  if (kind !== 'another digest behind a byte of zero') return kit.compose(notification);
  const delivery = composedSo(kit, notification, hasEarlyZero);
  if (delivery === undefined) throw new Unproven('no delivery had a digest with a byte of zero in its first half');
  return delivery;
}

async function tookEffect(kit: ReceiverKit, id: string): Promise<boolean> {
  if (!kit.probed) return false;
  await kit.untilEffect([id]);
  return ((await kit.effectsSoFar([id])).get(id) ?? 0) > 0;
}

async function sentAlone(kit: ReceiverKit, notification: Notification, forgery: Forgery): Promise<Attempt> {
  const attack = forge(kit, kit.compose(notification), forgery);
  return delivered(kit, attack);
}

/** What a forgery changes, where, and what came with it. */
export function forgedIn(forgery: Forgery, order: ForgedCase['genuine'] = 'never') {
  return { difference: `${describeForgery(forgery)}${circumstances[order]}`, differsIn: 'signature' } as const;
}

const circumstances: Readonly<Record<ForgedCase['genuine'], string>> = {
  never: '',
  before: ', under the id of a delivery that was accepted before',
  after: '',
  'after two forged ones': ', sent twice',
  'after many forged ones': ', sent as often as a service tries',
  beside: ', at the same time as genuine deliveries',
  'before, on the same connection': ', after a genuine delivery on the same connection',
  'before, and done': ', under the id of a delivery that had taken effect before',
};

/** Where another mistake is behind it than the one that the check's hint speaks of. */
const hints: Readonly<Partial<Record<ForgedCase['genuine'], string>>> = {
  'after two forged ones':
    'The second copy of a forged delivery was accepted. Verify the signature before you look at the id: an id that was ' +
    'remembered from a forged delivery makes the next one look like a redelivery.',
  'after many forged ones':
    'A forged delivery was accepted after some that were refused. No number of tries makes a signature right: refuse each of ' +
    'them, and take nothing out of a queue of failed deliveries that was not verified.',
  beside:
    'Keep the body, the signature and the verdict of a request in variables of that request. In a global variable, or in a ' +
    'member of an object that all requests share, another request overwrites them while this one waits.',
  'before, on the same connection':
    'Verify every request. A verdict that is kept with the connection lets in whatever follows on it, and proxies send the ' +
    'requests of many clients over one connection.',
};

const underKnownId =
  'The same forgery was refused under a new id. Verify the signature of every request before you look at its id, and let no cache ' +
  'in front of the receiver answer in its place.';

async function hintOf(kit: ReceiverKit, { notification, forgery, genuine: order }: ForgedCase) {
  const isKnown = order === 'before' || order === 'before, and done';
  if (isKnown && !kit.accepts((await sentAlone(kit, notification, forgery)).answer)) return underKnownId;
  return hints[order] ?? (await hintBesideOthers(kit, notification, forgery));
}

interface Parts {
  readonly attack: Delivery;
  readonly genuine: Delivery;
  /** A genuine delivery of another id. */
  readonly other: Delivery;
}

async function attempts(
  kit: ReceiverKit,
  order: ForgedCase['genuine'],
  { attack, genuine, other }: Parts,
): Promise<readonly Attempt[]> {
  // The genuine one comes last: what it leaves behind in a place for all is what a forgery that still waits would find.
  const all = { beside: [attack, other, attack, genuine], 'before, on the same connection': [other, attack] };
  if (order === 'beside') return answered(all[order], await kit.together(all[order]));
  if (order === 'before, on the same connection') return answered(all[order], await kit.inTurn(all[order]));
  const many = 1 + kit.contract.delivery.redeliveries;
  const times = order === 'after two forged ones' ? 2 : order === 'after many forged ones' ? many : 1;
  const sent: Attempt[] = [];
  while (sent.length < times) sent.push(await delivered(kit, attack));
  return sent;
}

function answered(deliveries: readonly Delivery[], answers: readonly Answer[]): readonly Attempt[] {
  return pairs(deliveries, answers).map(([delivery, answer]) => attempt(delivery, answer));
}

/** The finding shows what was sent with the forgery as well. Lines of a shell, one after the other, would not show it. */
function besides(found: Finding, accepted: Attempt, sent: readonly Attempt[]): Finding {
  const others = sent.filter((each) => each !== accepted);
  if (others.length === 0) return found;
  const isAlone = sent.every(({ delivery }) => delivery === accepted.delivery);
  return { ...found, attempts: [...others, accepted], ...(!isAlone && { concurrent: true }) };
}

/** A forgery that is accepted counts also where the genuine delivery is not. @throws Unproven where none is accepted */
async function forgedInstead(kit: ReceiverKit, genuine: Attempt, forged: Attempt, how: Forgery): Promise<Finding> {
  const accepted = kit.accepts(forged.answer) ? { forgery: how, twin: forged } : await acceptedInstead(kit, genuine);
  const point = { requirement: 'VRF-2', hint: instead, difference: describeForgery(accepted.forgery) } as const;
  const { attempts: shown, actual, ...found } = acceptedForgery(kit, accepted.twin, point);
  const refused = `the genuine delivery before it got ${describeAnswer(genuine.answer)}`;
  return { ...found, attempts: [genuine, ...shown], actual: `${actual}; ${refused}` };
}

/** What is usually wrong where a forgery is accepted and the genuine delivery is not. */
export const instead =
  'The verdict is inverted (a missing "not", a comparison that returns 0 for equal), or the receiver was started without its secret, ' +
  'and verifies with an empty one. Test both ways: the right signature is accepted, and every other one ' +
  'refused. If --secret is not the secret of this receiver, correct that first.';

/** A forgery that was accepted where the genuine delivery of the same content was refused. */
interface Instead {
  readonly forgery: Forgery;
  readonly twin: Attempt;
}

/**
 * What the receiver accepts in the place of a genuine delivery that it refused.
 *
 * @throws Unproven where it refuses the content with any signature
 */
export async function acceptedInstead(kit: ReceiverKit, refused: Attempt): Promise<Instead> {
  for (const forgery of plainForgeries) {
    const delivery = forge(kit, kit.again(refused.delivery), forgery);
    const answer = await kit.deliver(delivery);
    if (kit.accepts(answer)) return { forgery, twin: attempt(delivery, answer) };
  }
  throw notAccepted(refused.answer);
}
