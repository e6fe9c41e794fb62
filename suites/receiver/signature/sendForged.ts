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
import { composedSo } from './composedSo.ts';
import { redelivered, stillDone, takenAfterwards } from './genuineAfterwards.ts';
import { forge, type Forgery, malformedForgeries, malformedTimestamps, patterns, plainForgeries } from '../forgery.ts';

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
    const hint = (await isAnyTaken(kit, notification, forgery)) ? undefined : point.hint;
    return { ...seen, finding: besides(await acceptedAmong(kit, forged, { ...point, hint }), accepted, sent) };
  }
  // Where the genuine delivery takes effect under the same id, a forged one of its own shows whether it does as well.
  const isAlone = order === 'never' || order === 'before, on the same connection';
  const none: EffectClaim = {
    attempts: [isAlone ? refused : await sentAlone(kit, notification, forgery)],
    claim: 'none',
    point,
  };
  if (isAlone) return { ...seen, claims: [none] };
  // Beside another genuine one, what is lost may be lost to that one.
  if (order === 'beside') return { ...seen, claims: [none] };
  if (isDone) return { ...seen, claims: [none, { ...stillDone(twin, forgery), isDone: wasSeen }] };
  const later = order === 'before' ? redelivered : takenAfterwards;
  const { claim, finding } = await later(kit, genuine, { twin, forgery });
  return { ...seen, claims: claim ? [none, claim] : [none], ...(finding && { finding }) };
}

/** Whether what is no part of the right signature is accepted as well: a hint at its parts would mislead. */
async function isAnyTaken(kit: ReceiverKit, notification: Notification, { kind }: Forgery): Promise<boolean> {
  const word = { kind: 'some other word', word: '~' } as const;
  return kind === 'a truncated signature' && kit.accepts((await sentAlone(kit, notification, word)).answer);
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

/** How it comes about that it is accepted, where that is another mistake than a careless comparison. */
export function forgeryHint(forgery: Forgery): string | undefined {
  if (forgery.kind === 'some other word') return patterns.includes(forgery.word) ? asPattern : undefined;
  return forgeryHints[forgery.kind];
}

/** How a receiver comes to accept it, where it is a mistake of its own. */
const forgeryHints: Readonly<Partial<Record<Forgery['kind'], string>>> = {
  'the same digits in another order':
    'The digits of the right signature were accepted in another order, as where sums are compared. Compare the digests as a ' +
    'whole, with the function of your platform for it (timingSafeEqual, compare_digest, hash_equals, hmac.Equal).',
  'another digest in a part of it':
    'A part of the digest was compared, and the rest of it was not. Compare the digests as a whole, with the function of your ' +
    'platform for it (timingSafeEqual, compare_digest, hash_equals, hmac.Equal).',
  'a truncated signature':
    'A part of the right signature was accepted in its place, as where a text is searched for in another one (startsWith, endsWith, ' +
    'includes), or as many digits are compared as were given. Compare all of it, and refuse what is shorter.',
  'the letters of the signature in the other case':
    'The signatures were compared without regard to case. In base64 a capital letter and a small one are different digits: compare ' +
    'the bytes of the digests, or the texts just as they are.',
  'another digest behind a byte of zero':
    'The comparison ended at a byte of zero, as strcmp does. One digest in 256 begins with such a byte, and any signature that ' +
    'begins with it then passes. Compare all bytes of the digests, with the function of your platform for it (CRYPTO_memcmp).',
  'a secret that anybody knows':
    'A secret that is not there became a text ("undefined", "None", "<nil>"), or one of an example was left in place beside yours. ' +
    'End with an error at the start where a secret is missing, empty or that of an example.',
  'the signature of an empty body':
    'The signature of an empty body counts for any body: the body had been read before, or could not be, and nothing was verified ' +
    'in its place, or the signature was remembered as a good one. Verify the bytes that you then read, at each request.',
  'no signature header':
    'What came without a signature was not verified at all, as where "if (signature)" stands before the verification. Refuse ' +
    'with 401 where the header is missing or empty.',
  'another algorithm':
    'The sender chose the algorithm here, and one for which you have no secret. Use the one algorithm that was agreed on, ' +
    'whatever the header says, and refuse every other name.',
  'another timestamp':
    'Refuse with 401 where the timestamp is no whole number of a few digits, before you convert it: conversions throw, pass over ' +
    'what they cannot read, or make a number that is too large.',
  'a plain hash of secret and body':
    'Where a hash of secret and body counts as a signature, it can be lengthened without the secret. Use the HMAC of your ' +
    'platform (createHmac, hmac.new, hash_hmac, hmac.New), and accept nothing beside it.',
  'the signature of the body alone':
    'A signature of an older or simpler layout counts beside the right one: anybody who has seen one can send the body at any time. ' +
    'Compute the HMAC over all that the sender signs, and accept nothing else.',
};

const asPattern =
  'The signature was taken for a pattern, which matches whatever you expect. Compare texts (in bash, quote both sides of ==).';
