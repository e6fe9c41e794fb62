import fc from 'fast-check';

import type { DigestEncoding } from '../../../spec/signatureScheme.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer, isOverloaded } from '../../answer.ts';
import { type Finding, receiverCheck, Unproven } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit, SigningKit } from '../../kit.ts';
import { acceptedStatuses, acceptedTwin, attemptsOf, expectAccepted } from '../expectation.ts';
import { filled } from './setting.ts';
import { withSignatureField } from '../signatureHeader.ts';

/** What a digest may be like that code writes, compares or carries otherwise than most, and one that is not like that. */
interface DigestKind {
  readonly name: string;
  /** Default: however digests are written. */
  readonly in?: readonly DigestEncoding[];
  readonly odd: SuitsDigest;
  readonly plain: SuitsDigest;
}

const padding = 0x10;

const sign = 0x80;

const kinds: readonly DigestKind[] = [
  {
    name: 'a byte below 16 within the digest',
    odd: ([first = 0, ...others]) => first >= padding && first < sign && others.some((byte) => byte < padding),
    plain: (bytes) => itemOf(bytes, 0) < sign && bytes.every((byte) => byte >= padding),
  },
  {
    name: 'a digest whose first byte is below 16',
    odd: ([first = 0]) => first < padding,
    plain: ([first = 0]) => first >= padding && first < sign,
  },
  {
    name: 'a digest whose first bit is set',
    odd: ([first = 0]) => first >= sign,
    plain: ([first = 0]) => first >= padding && first < sign,
  },
  {
    name: 'a digest with characters in it that are neither letters nor digits',
    in: ['base64', 'base64url'],
    odd: (_, text) => /[^0-9a-z=]/i.test(text),
    plain: (_, text) => !/[^0-9a-z=]/i.test(text),
  },
];

/** Deliveries at the same moment, and how often they are sent at most. */
const concurrently = { deliveries: 12, rounds: 4 } as const;

interface DigestCase {
  readonly notification: Notification;
  /** Or how large each of many deliveries at the same time is, in bytes: their digests may be any. */
  readonly kind: DigestKind | { readonly bytes: number };
}

/** So much of what every receiver has to take: while a large body is digested, another one comes. */
const large = 0.75;

/** Section 5.2: whether a right signature is accepted does not depend on which digits it happens to have, nor on what else is verified. */
export const everyDigest = receiverCheck<DigestCase>({
  id: 'receiver/signature/every-digest',
  title: 'accepts every right signature, whatever its digest is like and however many are verified at once',
  requirements: ['VRF-1'],
  needs: ['secret'],
  judgesChance: true,
  weight: 0.5,
  cases: (draw) => {
    const possible = kinds.filter((kind) => kind.in?.includes(draw.scheme.digest) ?? true);
    return [...possible, { bytes: Math.floor(large * draw.judgedSize) }].map((kind) =>
      fc.record({ kind: fc.constant(kind), notification: draw.notification() }),
    );
  },
  run: (kit, { notification, kind }) =>
    'bytes' in kind ? acceptsAtOnce(kit, notification, kind) : acceptsDigest(kit, notification, kind),
  hint:
    'Two digits stand for each byte of a digest in hex: write a byte below 16 with its zero, and do not turn the digest into a ' +
    'number, which has a sign and no zeros before it. Compare bytes, or use the hex function of your library.',
});

async function acceptsDigest(
  kit: ReceiverKit,
  notification: Notification,
  { name, odd, plain }: DigestKind,
): Promise<Finding | undefined> {
  const delivery = composedSo(kit, notification, odd);
  const neighbour = composedSo(kit, notification, plain);
  if (delivery === undefined || neighbour === undefined) throw new Unproven(`no delivery had ${name}`);
  const found = await expectAccepted(kit, delivery, {
    requirement: 'VRF-1',
    twin: await acceptedTwin(kit, neighbour),
    difference: name,
    differsIn: 'signature',
  });
  const refused = found?.attempts.at(-1);
  if (refused?.answer.kind === 'answered' && (await refusedAsForged(kit, [refused])) === undefined)
    throw new Unproven(
      `${describeAnswer(refused.answer)}, and another answer to a forged delivery: not the signature was refused`,
    );
  return found;
}

/** What is refused among others as a forgery is, and accepted by itself, was refused for a digest that got mixed up with others. */
async function acceptsAtOnce(
  kit: ReceiverKit,
  notification: Notification,
  { bytes }: { readonly bytes: number },
): Promise<Finding | undefined> {
  await acceptedTwin(kit, kit.compose(notification));
  const rewrite = (body: Buffer): Buffer => filled(body, bytes);
  for (let round = 0; round < concurrently.rounds; round++) {
    const deliveries = Array.from({ length: concurrently.deliveries }, () => kit.compose(notification, { rewrite }));
    const sent = attemptsOf(deliveries, await kit.together(deliveries));
    const refused = await refusedAsForged(
      kit,
      sent.filter(({ answer }) => !isOverloaded(answer)),
    );
    if (refused) return refusedAmongOthers(kit, refused);
    // More of them would only pile up at one that serves a request at a time.
    if (sent.some(({ answer }) => answer.kind === 'timed-out')) break;
  }
  return undefined;
}

async function refusedAsForged(kit: ReceiverKit, sent: readonly Attempt[]): Promise<Attempt | undefined> {
  const refused = sent.filter(({ answer }) => answer.kind === 'answered' && !kit.accepts(answer));
  if (refused.length === 0) return undefined;
  const forged = await kit.deliver(kit.compose(kit.control, { secret: 'not the secret of this receiver' }));
  if (forged.kind !== 'answered' || kit.accepts(forged)) throw new Unproven('no forged delivery was refused');
  const { status } = forged;
  return refused.find(({ answer }) => answer.kind === 'answered' && answer.status === status);
}

/** @throws Unproven where it is not accepted by itself either */
async function refusedAmongOthers(kit: ReceiverKit, refused: Attempt): Promise<Finding> {
  const twin = await acceptedTwin(kit, refused.delivery);
  return finding(
    {
      requirement: 'VRF-1',
      twin,
      difference: `${concurrently.deliveries} deliveries at the same time`,
      differsIn: 'signature',
      concurrent: true,
      hint:
        'Make a new HMAC object for each delivery. One that several threads or requests use at the same time mixes their bodies, ' +
        'and refuses right signatures when the load is highest.',
    },
    {
      attempts: [refused],
      expected: `the delivery is accepted: status ${acceptedStatuses(kit)}, as it is by itself`,
      actual: `${describeAnswer(refused.answer)}, as for a forged one`,
      absence: true,
    },
  );
}

/** Whether a digest is of some kind. */
type SuitsDigest = (bytes: Buffer, text: string) => boolean;

/** Deliveries composed at most until one has a digest of the kind: one in 16 has the rarest. */
const composed = 600;

/**
 * A delivery of the notification whose right digest suits; nothing where none of many does. Where neither the id nor the time is
 * signed, every delivery of a body has one digest: it then ends in more and more spaces.
 */
export function composedSo(kit: ReceiverKit, notification: Notification, suits: SuitsDigest): Delivery | undefined {
  const seen = new Set<string>();
  for (let [tried, spaces] = [0, 0]; tried < composed; tried++) {
    const rewrite = (body: Buffer): Buffer => filled(body, body.length + spaces);
    const delivery = kit.compose(notification, spaces === 0 ? {} : { rewrite });
    const text = digestOf(kit, delivery);
    if (suits(Buffer.from(text, kit.scheme.digest), text)) return delivery;
    if (spaces > 0 || seen.has(text)) spaces += 1;
    seen.add(text);
  }
  return undefined;
}

function digestOf(kit: SigningKit, delivery: Delivery): string {
  let digest = '';
  withSignatureField(kit, delivery, 'digest', (text) => (digest = text));
  return digest;
}
