import fc from 'fast-check';

import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import { itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { type EffectClaim, expectEffects } from '../effect.ts';
import { expectStillServing } from '../stillServing.ts';
import {
  behindZero,
  wellFormedForgeries,
  eachDigitChanged,
  inOtherCase,
  forge,
  knownSecrets,
  ofBodyAlone,
  type Forgery,
} from '../forgery.ts';
import { changedAfterSigning, changedContent } from './changedBody.ts';
import { everyDigest } from './everyDigest.ts';
import { everySetting } from './everySetting.ts';
import { severalSignatures } from './severalSignatures.ts';
import { everySpelling, beyondAscii, headerCase, everySecret } from './genuineSignatures.ts';
import { nothingAdded } from './additions.ts';
import { large } from './respelling.ts';
import { fromTheFuture, signedAnew, smallSkew, tooOld } from './tolerance.ts';
import { forgeryHint } from './forgeryHint.ts';
import { fromTheStart } from './fromTheStart.ts';
import { withoutSecret } from './withoutSecret.ts';
import {
  besideOthers,
  forgedCase,
  forgedCases,
  sendForged,
  type ForgedCase,
  forgedIn,
  malformedCases,
} from './sendForged.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { digestSpellings } from '../../../spec/signature.ts';
import type { Answer, Attempt, Delivery } from '../../delivery.ts';
import { type Point, finding } from '../../finding.ts';
import { acceptedTwin, answeredForgery, attempt } from '../expectation.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';

const forgedHint =
  'Recompute the HMAC with your secret over the raw body and compare all of it, in constant time. Check the signature ' +
  'before you look at the id or store anything, await it, and return where it fails: a promise is true in every "if". Where ' +
  'every forgery is accepted, see whether you trust loopback addresses or a proxy on this machine (the kit sends from there), or a ' +
  'connection after its first right signature.';

/** Section 5.2: a signature that was made with anything but the secret and this body is refused. */
const forged = receiverCheck<ForgedCase>({
  id: 'receiver/signature/forged',
  title: 'refuses a signature that was not made with the secret over this body',
  requirements: ['VRF-2'],
  needs: ['secret'],
  canary: true,
  weight: 1.5,
  cases: (draw) => [
    ...forgedCases(draw, wellFormedForgeries),
    knownSecrets.map((known) => forgedCase(draw.notification(), fc.constant(known), ['never'])),
    eachDigitChanged(draw.scheme).map((forgery) => forgedCase(draw.notification(), forgery, ['never'])),
    forgedCase(large(draw), itemOf(wellFormedForgeries, 0)),
    ...(draw.scheme.signed === '{body}' ? [] : [forgedCase(draw.notification(), fc.constant(ofBodyAlone))]),
    ...besideOthers.map((genuine) => forgedCase(draw.notification(), itemOf(wellFormedForgeries, 0), [genuine])),
    forgedCase(draw.notification(), fc.constant(behindZero), ['never']),
    ...(draw.scheme.digest === 'hex' ? [] : [forgedCase(draw.notification(), fc.constant(inOtherCase), ['never'])]),
  ],
  run: refusesForgery,
  hint: forgedHint,
});

/** Characters of a header beyond which a front server may close the connection. */
const longHeader = 8000;

/** Section 5.2: what is no signature at all is refused too, and disturbs nobody. */
const malformedSignature = receiverCheck<ForgedCase>({
  id: 'receiver/signature/malformed',
  title: 'refuses a missing, empty, truncated or garbled signature',
  requirements: ['VRF-2', 'VRF-4', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: malformedCases,
  run: async (kit, value) => {
    const { finding: accepted, twin, refused, claims } = await sendForged(kit, value);
    const { forgery } = value;
    const hint = forgery.kind === 'another timestamp' ? forgeryHint(forgery) : undefined;
    const point = { requirement: 'VRF-4', twin, ...forgedIn(forgery), hint } as const;
    return accepted ?? expectQuietRefusal(kit, refused, point, claims);
  },
  hint:
    'Refuse when the header is missing or empty. Comparison functions for constant time throw when the lengths differ, ' +
    'and on characters beyond ASCII: compare lengths (of bytes) first. Strict decoders of hex and base64 throw on any other ' +
    'character and on an odd number of digits, and a header that comes twice may be a list: catch that, and refuse with 401.',
});

const refusalHint =
  'Answer 401 or 403 with a fixed text. A 5xx says that the receiver is broken, and a detailed error message ' +
  'gives the signature away.';

/** Refusals that are looked at in each run. */
const kindsOfRefusal = 4;

/** Section 5.2: how a refusal looks. */
const refusal = receiverCheck<{ notification: Notification; forgery: Forgery }>({
  id: 'receiver/signature/refusal',
  title: 'refuses with a 4xx status and without a word about the expected signature',
  requirements: ['VRF-4', 'VRF-2', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  // Each of them is tried by another check too, with all its circumstances: here they take turns.
  cases: (draw) =>
    inTurns(wellFormedForgeries.map((forgery) => fc.record({ forgery, notification: draw.notification() }))),
  run: async (kit, { notification, forgery }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = forge(kit, kit.compose(notification), forgery);
    const answer = await kit.deliver(delivery);
    const point = { twin, ...forgedIn(forgery) };
    if (kit.accepts(answer)) {
      const hint = forgeryHint(forgery) ?? forgedHint;
      return answeredForgery(kit, attempt(delivery, answer), { requirement: 'VRF-2', ...point, hint });
    }
    return expectQuietRefusal(kit, attempt(delivery, answer), { requirement: 'VRF-4', ...point });
  },
  hint: refusalHint,
});

/** The checks of this topic, in the order in which they run and are listed. */
export const signatureChecks: readonly ReceiverCheck[] = [
  everySpelling,
  beyondAscii,
  headerCase,
  everySecret,
  everyDigest,
  severalSignatures,
  forged,
  everySetting,
  changedAfterSigning,
  changedContent,
  nothingAdded,
  tooOld,
  fromTheFuture,
  smallSkew,
  signedAnew,
  malformedSignature,
  refusal,
  withoutSecret,
  fromTheStart,
];

async function refusesForgery(kit: ReceiverKit, value: ForgedCase): Promise<Finding | undefined> {
  const { finding: accepted, claims } = await sendForged(kit, value);
  return accepted ?? expectEffects(kit, ...claims);
}

/** So many kinds of case, each with neighbours that differ. */
function inTurns<T>(cases: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.min(kindsOfRefusal, cases.length) }, (_, kind) =>
    cases.filter((_case, place) => place % kindsOfRefusal === kind),
  );
}

/** What was refused was refused with a 4xx that gives nothing away, and the receiver still serves. */
async function expectQuietRefusal(
  kit: ReceiverKit,
  refused: Attempt,
  point: Point,
  claims: readonly EffectClaim[] = [],
): Promise<Finding | undefined> {
  const { delivery, answer } = refused;
  const leak = leakedIn(answer, kit, delivery);
  if (leak) {
    return finding(
      { ...point, hint: refusalHint },
      {
        attempts: [refused],
        expected: 'a refusal that says nothing about the expected signature',
        actual: `${describeAnswer(answer)}, and the answer holds ${leak}`,
        absence: false,
      },
    );
  }
  const unserved = await expectStillServing(kit, { ...point, requirement: 'ROB-1' }, ...claims);
  if (unserved || hasStatusClass(answer, 4) || isCutOff(refused)) return unserved;
  return finding(point, {
    attempts: [refused],
    expected: 'a refusal with a 4xx status',
    actual: describeAnswer(answer),
    absence: true,
  });
}

/** Whether the connection was closed because of a header that is longer than many servers take. */
function isCutOff({ delivery, answer }: Attempt): boolean {
  return answer.kind === 'broken' && delivery.headers.some(([, value]) => value.length > longHeader);
}

/**
 * What an answer gives away of a delivery's right signature or of a secret, in words; nothing where it keeps them. A forgery
 * may be the right signature but for a digit, and an answer that quotes what was sent gives nothing away.
 */
function leakedIn(answer: Answer, kit: ReceiverKit, { body, headers, id }: Delivery): string | undefined {
  if (answer.kind !== 'answered') return undefined;
  const text = [answer.body, ...answer.headers.map(([, value]) => value)].join('\n');
  if (kit.secrets.some((secret) => secret.length >= 6 && text.includes(secret))) return 'the secret';
  const sent = headers.map(([, value]) => value).join('\n');
  const tells = (digits: string): boolean => text.includes(digits) && !sent.includes(digits);
  const spellings = kit.secrets.flatMap((secret) =>
    digestSpellings(kit.scheme, { secret, body, id, timestamp: kit.now() }),
  );
  if (spellings.some(tells)) return 'the expected signature';
  const parts = spellings.flatMap((spelling) => partsOf(spelling).filter(tells));
  return parts.length > 0 ? 'a part of the expected signature' : undefined;
}

/** Digits of a signature that no text holds by chance, and that spare a forger as many guesses. */
const tellingLength = 16;

/** Every piece of this length, for what is shortened for a log may be so at either end. */
function partsOf(spelling: string): readonly string[] {
  const count = Math.max(0, spelling.length - tellingLength + 1);
  return Array.from({ length: count }, (_, at) => spelling.slice(at, at + tellingLength));
}
