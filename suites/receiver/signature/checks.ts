import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { type SignatureScheme, digestSpellings } from '../../../spec/signature.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { receiverCheck, Unproven, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Attempt, Delivery, Answer } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects, type EffectClaim } from '../effect.ts';
import { acceptedForgery, acceptedTwin, attempt, expectRefused, finding } from '../expectation.ts';
import { describeForgery, forge, malformedForgeries, wellFormedForgeries, type Forgery } from '../forgery.ts';
import { signatureValue, withSignatureValue } from '../signatureHeader.ts';
import { large } from './respelling.ts';
import { expectStillServing } from '../stillServing.ts';
import { acceptedInstead, instead } from './acceptedInstead.ts';
import { everySpelling, beyondAscii, headerCase, everySecret } from './genuineSignatures.ts';
import { changedAfterSigning, changedContent } from './changedBody.ts';
import { withoutSecret } from './withoutSecret.ts';
import { itemOf } from '../../items.ts';

interface Forged {
  readonly finding?: Finding;
  readonly claims: readonly EffectClaim[];
}

interface ForgedCase {
  readonly notification: Notification;
  readonly forgery: Forgery;
  /** When the genuine delivery of the same id comes, if it does. */
  readonly genuine: 'never' | 'before' | 'after';
}

/** Section 5.2: a signature that was made with anything but the secret and this body is refused. */
const forged = receiverCheck<ForgedCase>({
  id: 'receiver/signature/forged',
  title: 'refuses a signature that was not made with the secret over this body',
  requirements: ['VRF-2'],
  needs: ['secret'],
  canary: true,
  weight: 2,
  cases: (draw) => [...forgedCases(draw, wellFormedForgeries), forgedCase(large(draw), itemOf(wellFormedForgeries, 0))],
  run: refusesForgery,
  hint:
    'Recompute the HMAC with your secret over the raw body and compare all of it, in constant time. Check the signature ' +
    'before you look at the id or store anything, await it, and return where it fails: a promise is true in every "if".',
});

/** Section 5.2: what is no signature at all is refused too, and disturbs nobody. */
const malformedSignature = receiverCheck<ForgedCase>({
  id: 'receiver/signature/malformed',
  title: 'refuses a missing, empty, truncated or garbled signature',
  requirements: ['VRF-2', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: (draw) => forgedCases(draw, malformedForgeries),
  run: async (kit, value) => {
    const seen = await sendForged(kit, value);
    if (seen.finding) return seen.finding;
    return expectStillServing(
      kit,
      { requirement: 'ROB-1', difference: describeForgery(value.forgery) },
      ...seen.claims,
    );
  },
  hint:
    'Refuse when the header is missing or empty. Comparison functions for constant time throw when the lengths differ, ' +
    'and on characters beyond ASCII: compare lengths (of bytes) first.',
});

/** Section 5.2: how a refusal looks. */
const refusal = receiverCheck<{ notification: Notification; forgery: Forgery }>({
  id: 'receiver/signature/refusal',
  title: 'refuses with a 4xx status and without a word about the expected signature',
  requirements: ['VRF-4', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.5,
  cases: (draw) =>
    [...wellFormedForgeries, ...malformedForgeries].map((forgery) =>
      fc.record({ forgery, notification: draw.notification() }),
    ),
  run: async (kit, { notification, forgery }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const genuine = kit.compose(notification);
    const delivery = forge(kit, genuine, forgery);
    const answer = await kit.deliver(delivery);
    if (kit.accepts(answer)) throw new Unproven(`the forgery was not refused: ${describeAnswer(answer)}`);
    const point = { requirement: 'VRF-4', twin, ...forgedIn(forgery) } as const;
    const leak = leakedIn(answer, kit, genuine);
    if (leak) {
      return finding([attempt(delivery, answer)], point, {
        expected: 'a refusal that says nothing about the expected signature',
        actual: `${describeAnswer(answer)}, and the answer holds ${leak}`,
        absence: false,
      });
    }
    const unserved = await expectStillServing(kit, { ...point, requirement: 'ROB-1' });
    if (unserved || hasStatusClass(answer, 4)) return unserved;
    return finding([attempt(delivery, answer)], point, {
      expected: 'a refusal with a 4xx status',
      actual: describeAnswer(answer),
      absence: true,
    });
  },
  hint:
    'Answer 401 or 403 with a fixed text. A 5xx says that the receiver is broken, and a detailed error message ' +
    'gives the signature away.',
});

/** Section 5.2: a signature with something behind it is another signature. */
const nothingAdded = receiverCheck<{ notification: Notification; addition: Addition }>({
  id: 'receiver/signature/nothing-added',
  title: 'refuses the right signature with something added to it',
  requirements: ['VRF-5'],
  needs: ['secret'],
  canary: true,
  weight: 0.5,
  cases: (draw) =>
    additionsFor(draw.scheme).map((addition) =>
      fc.record({ addition: fc.constant(addition), notification: draw.notification() }),
    ),
  run: async (kit, { notification, addition }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = withAddition(kit, kit.compose(notification), addition);
    return expectRefused(kit, delivery, { requirement: 'VRF-5', twin, difference: addition, hint: hints[addition] });
  },
  hint: 'Compare the whole header value. Decoders of hex and base64 drop what they cannot read, so junk behind a signature passes.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const signatureChecks: readonly ReceiverCheck[] = [
  everySpelling,
  beyondAscii,
  headerCase,
  everySecret,
  forged,
  changedAfterSigning,
  changedContent,
  nothingAdded,
  malformedSignature,
  refusal,
  withoutSecret,
];

function forgedCases(draw: Draw, forgeries: readonly Arbitrary<Forgery>[]): readonly Arbitrary<ForgedCase>[] {
  return forgeries.map((forgery) => forgedCase(draw.notification(), forgery));
}

function forgedCase(notification: Arbitrary<Notification>, forgery: Arbitrary<Forgery>): Arbitrary<ForgedCase> {
  return fc.record({ forgery, genuine: fc.constantFrom('never' as const, 'after', 'before'), notification });
}

async function refusesForgery(kit: ReceiverKit, value: ForgedCase): Promise<Finding | undefined> {
  const { finding: accepted, claims } = await sendForged(kit, value);
  return accepted ?? expectEffects(kit, ...claims);
}

/** Sends a forgery, and the genuine delivery after it where the case says so: a finding, or what is left to judge. */
async function sendForged(kit: ReceiverKit, { notification, forgery, genuine: order }: ForgedCase): Promise<Forged> {
  const genuine = kit.compose(notification);
  const plain = order === 'before' ? genuine : kit.compose(notification);
  const twin = attempt(plain, await kit.deliverWithRetries(plain));
  const point = { requirement: 'VRF-2', twin, ...forgedIn(forgery) } as const;
  const attack = forge(kit, genuine, forgery);
  const answer = await kit.deliver(attack);
  const refused = attempt(attack, answer);
  if (!kit.accepts(twin.answer)) return forgedInstead(kit, twin, refused, forgery);
  if (kit.accepts(answer)) return { finding: acceptedForgery(kit, refused, point), claims: [] };
  // Where the genuine delivery takes effect under the same id, a forged one of its own shows whether it does as well.
  const alone = order === 'never' ? refused : await sentAlone(kit, notification, forgery);
  const none: EffectClaim = { attempts: [alone], claim: 'none', point };
  if (order !== 'after') return { claims: [none] };
  const after = attempt(genuine, await kit.deliverWithRetries(genuine));
  const difference = `${point.difference}, then the genuine delivery of the same id`;
  const once: EffectClaim = { attempts: [after], claim: 'once', point: { requirement: 'VRF-2', twin, difference } };
  return { claims: [none, once] };
}

async function sentAlone(kit: ReceiverKit, notification: Notification, forgery: Forgery): Promise<Attempt> {
  const attack = forge(kit, kit.compose(notification), forgery);
  return attempt(attack, await kit.deliver(attack));
}

/** What a forgery changes, and where. */
function forgedIn(forgery: Forgery) {
  return { difference: describeForgery(forgery), differsIn: 'signature' } as const;
}

/** A forgery that is accepted counts also where the genuine delivery is not. @throws Unproven where none is accepted */
async function forgedInstead(kit: ReceiverKit, genuine: Attempt, forged: Attempt, how: Forgery): Promise<Forged> {
  const accepted = kit.accepts(forged.answer) ? { forgery: how, twin: forged } : await acceptedInstead(kit, genuine);
  const point = { requirement: 'VRF-2', hint: instead, difference: describeForgery(accepted.forgery) } as const;
  const { attempts, actual, ...found } = acceptedForgery(kit, accepted.twin, point);
  const refused = `the genuine delivery before it got ${describeAnswer(genuine.answer)}`;
  return { finding: { ...found, attempts: [genuine, ...attempts], actual: `${actual}; ${refused}` }, claims: [] };
}

const additions = [
  'two more digits at the end',
  'letters that are no digits at the end',
  'a second value in a second header line',
  'a second value in a header line before it',
] as const;
type Addition = (typeof additions)[number];

const repeatedHeader =
  'Refuse a delivery whose signature header comes twice: what stands before your code (a proxy, a firewall) may look at ' +
  'the line that you do not. Many frameworks give out one value of a repeated header without a word, so ask for all of them.';

/** Where another mistake is behind it than the one that the check's hint speaks of. */
const hints: Readonly<Partial<Record<Addition, string>>> = {
  'a second value in a second header line': `The header came twice, and only its first line was compared. ${repeatedHeader}`,
  'a second value in a header line before it': `The header came twice, and only its last line was compared. ${repeatedHeader}`,
};

/** Schemes with a layout of their own make a list of their header, to which HTTP lets a second line belong. */
function additionsFor({ layout }: SignatureScheme): readonly Addition[] {
  return layout === 'body' ? additions : additions.slice(0, 2);
}

function withAddition(kit: ReceiverKit, delivery: Delivery, addition: Addition): Delivery {
  const wrong = signatureValue(kit, forge(kit, delivery, { kind: 'another secret', secret: 'other' }));
  const line = [kit.signatureHeader, wrong] as const;
  switch (addition) {
    case 'two more digits at the end':
      return { ...delivery, headers: withSignatureValue(kit, delivery, (value) => `${value}00`) };
    case 'letters that are no digits at the end':
      return { ...delivery, headers: withSignatureValue(kit, delivery, (value) => `${value}~zz`) };
    case 'a second value in a second header line':
      return { ...delivery, headers: [...delivery.headers, line] };
    case 'a second value in a header line before it':
      return { ...delivery, headers: [line, ...delivery.headers] };
  }
}

/** What an answer gives away of a delivery's right signature or of a secret, in words; nothing where it keeps them. */
function leakedIn(answer: Answer, kit: ReceiverKit, genuine: Delivery): string | undefined {
  if (answer.kind !== 'answered') return undefined;
  const text = [answer.body, ...answer.headers.map(([, value]) => value)].join('\n');
  if (kit.secrets.some((secret) => secret.length >= 6 && text.includes(secret))) return 'the secret';
  const { body, id } = genuine;
  const spellings = kit.secrets.flatMap((secret) =>
    digestSpellings(kit.scheme, { secret, body, id, timestamp: kit.now() }),
  );
  return spellings.some((spelling) => text.includes(spelling)) ? 'the expected signature' : undefined;
}
