import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../generators/notification.ts';
import { valueAt } from '../../generators/jsonPointer.ts';
import { describeEdit, editKinds, editSites, rawForm, type RawForm } from '../../generators/rawForm.ts';
import { describeAnswer, hasStatusClass } from '../answer.ts';
import { receiverCheck, Unproven, type Finding } from '../check.ts';
import type { Delivery, Header } from '../delivery.ts';
import type { Draw } from '../draw.ts';
import type { ReceiverKit } from '../kit.ts';
import { expectEffects, type EffectClaim } from './effect.ts';
import { acceptedForgery, acceptedTwin, attempt, expectAccepted, expectRefused, finding } from './expectation.ts';
import {
  describeForgery,
  forge,
  isSignature,
  malformedForgeries,
  signatureValue,
  wellFormedForgeries,
  withValue,
  type Forgery,
} from './forgery.ts';
import { leakedIn } from './leak.ts';
import { expectStillServing } from './stillServing.ts';

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

/** Section 5.2: the signature is the one of the raw body, however the body is spelt. */
export const everySpelling = receiverCheck<{ notification: Notification; form: RawForm }>({
  id: 'receiver/signature/every-spelling',
  title: 'accepts a signed body whatever its white space, key order, escapes and numbers look like',
  requirements: ['VRF-1'],
  needs: ['secret'],
  weight: 2,
  cases: (draw) =>
    editKinds.map((kind) =>
      fc
        .record({ form: rawForm({ kinds: [kind] }), notification: draw.notification({ text: 'unicode' }) })
        .filter(({ notification }) => editSites(notification.value, kind) > 0),
    ),
  run: async (kit, { notification, form }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    return expectAccepted(kit, kit.compose(notification, { form }), {
      requirement: 'VRF-1',
      twin,
      difference: form.map(describeEdit).join('; '),
    });
  },
  hint:
    'Compute the signature over the bytes as they arrived. Parsing the body and writing it again (JSON.stringify of a ' +
    'parsed body) loses white space, key order and escapes. Most frameworks need a raw body option for this route.',
});

/** Section 5.2: the digest is over bytes, so text beyond ASCII must not change it. */
export const beyondAscii = receiverCheck<Notification>({
  id: 'receiver/signature/beyond-ascii',
  title: 'accepts a signed body with characters beyond ASCII as they are',
  requirements: ['VRF-1'],
  needs: ['secret'],
  cases: (draw) => [
    draw.notification({ text: 'unicode' }).filter(({ value }) => /[^\0-\x7f]/.test(JSON.stringify(value))),
  ],
  run: async (kit, notification) => {
    const twin = await acceptedTwin(kit, kit.compose(notification, { rewrite: asciiOnly }));
    return expectAccepted(kit, kit.compose(notification), {
      requirement: 'VRF-1',
      twin,
      difference: 'characters beyond ASCII stand there as they are (UTF-8), not as \\u escapes',
    });
  },
  hint: 'Hash the bytes of the body. A body that was decoded to text and encoded again, in Latin-1 for example, has another digest.',
});

/** RFC 9110, section 5.1: names of header fields are case-insensitive. */
export const headerCase = receiverCheck<{ notification: Notification; spelling: (typeof spellings)[number] }>({
  id: 'receiver/signature/header-case',
  title: 'finds the signature header whatever the case of its name',
  requirements: ['VRF-1'],
  needs: ['secret'],
  weight: 0.5,
  cases: (draw) =>
    spellings.map((spelling) => fc.record({ spelling: fc.constant(spelling), notification: draw.notification() })),
  run: async (kit, { notification, spelling }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = kit.compose(notification);
    const headers = delivery.headers.map(([name, value]): Header => [
      isSignature(kit, name) ? respelt(name, spelling) : name,
      value,
    ]);
    return expectAccepted(
      kit,
      { ...delivery, headers },
      {
        requirement: 'VRF-1',
        twin,
        difference: `the header's name is in ${spelling}`,
      },
    );
  },
  hint: 'Look headers up without regard to case; proxies and HTTP/2 write them in lower case.',
});

/** A webhook's secret can be changed while deliveries signed with the old one are still under way. */
export const everySecret = receiverCheck<{ notification: Notification; which: number }>({
  id: 'receiver/signature/every-secret',
  title: 'accepts each of the secrets that it was given',
  requirements: ['VRF-1'],
  needs: ['secret'],
  weight: 0.5,
  cases: (draw) =>
    draw.secrets.map((_, which) => fc.record({ which: fc.constant(which), notification: draw.notification() })),
  run: async (kit, { notification, which }) =>
    expectAccepted(kit, kit.compose(notification, { secret: kit.secrets[which]! }), {
      requirement: 'VRF-1',
      difference: `signed with secret ${which + 1} of ${kit.secrets.length}`,
    }),
  hint: 'During a rotation two secrets are valid. Try each before you refuse.',
});

/** Section 5.2: a signature that was made with anything but the secret and this body is refused. */
export const forged = receiverCheck<ForgedCase>({
  id: 'receiver/signature/forged',
  title: 'refuses a signature that was not made with the secret over this body',
  requirements: ['VRF-2'],
  needs: ['secret'],
  weight: 2,
  cases: (draw) => forgedCases(draw, wellFormedForgeries),
  run: refusesForgery,
  hint:
    'Recompute the HMAC with your secret over the raw body and compare all of it, in constant time. Check the signature ' +
    'before you look at the id or store anything.',
});

/** Section 5.2: what is no signature at all is refused too, and disturbs nobody. */
export const malformedSignature = receiverCheck<ForgedCase>({
  id: 'receiver/signature/malformed',
  title: 'refuses a missing, empty, truncated or garbled signature',
  requirements: ['VRF-2', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  disturbs: true,
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

function forgedCases(draw: Draw, forgeries: readonly Arbitrary<Forgery>[]): readonly Arbitrary<ForgedCase>[] {
  return forgeries.map((forgery) =>
    fc.record({
      forgery,
      genuine: fc.constantFrom('never' as const, 'after', 'before'),
      notification: draw.notification(),
    }),
  );
}

async function refusesForgery(kit: ReceiverKit, value: ForgedCase): Promise<Finding | undefined> {
  const { finding: accepted, claims } = await sendForged(kit, value);
  return accepted ?? expectEffects(kit, ...claims);
}

/** Sends a forgery, and the genuine delivery after it where the case says so: a finding, or what is left to judge. */
async function sendForged(kit: ReceiverKit, { notification, forgery, genuine: order }: ForgedCase): Promise<Forged> {
  const genuine = kit.compose(notification);
  const twin = await acceptedTwin(kit, order === 'before' ? genuine : kit.compose(notification));
  const point = { requirement: 'VRF-2', twin, difference: describeForgery(forgery) };
  const attack = forge(kit, genuine, forgery);
  const answer = await kit.deliver(attack);
  const refused = attempt(attack, answer);
  if (kit.accepts(answer)) return { finding: acceptedForgery(kit, refused, point), claims: [] };
  if (order === 'before') return { claims: [] };
  if (order === 'never') return { claims: [{ attempts: [refused], claim: 'none', point }] };
  const after = attempt(genuine, await kit.deliverPatiently(genuine));
  const difference = `${point.difference}, then the genuine delivery of the same id`;
  return { claims: [{ attempts: [after], claim: 'once', point: { ...point, difference } }] };
}
/** Section 5.2: the raw body is what is signed, so any change of it is refused. */
export const changedAfterSigning = receiverCheck<{ notification: Notification; form: RawForm }>({
  id: 'receiver/signature/changed-after-signing',
  title: 'refuses a body changed after signing, even where it parses to the same value',
  requirements: ['VRF-3'],
  needs: ['secret'],
  weight: 2,
  cases: (draw) =>
    editKinds.map((kind) =>
      fc
        .record({ form: rawForm({ kinds: [kind] }), notification: draw.notification({ text: 'unicode' }) })
        .filter(({ notification }) => editSites(notification.value, kind) > 0),
    ),
  run: async (kit, { notification, form }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const signed = kit.compose(notification);
    const attack = { ...signed, body: kit.compose(notification, { id: signed.id, form }).body };
    return expectChangeRefused(kit, attack, signed, {
      requirement: 'VRF-3',
      twin,
      difference: form.map(describeEdit).join('; '),
    });
  },
  hint: 'Verify the bytes as they arrived, before a JSON parser touches them.',
});

/** Section 5.2: the same for a change of what the body says. */
export const changedContent = receiverCheck<{
  notification: Notification;
  what: 'the id' | 'one character';
  at: number;
  replayed: boolean;
}>({
  id: 'receiver/signature/changed-content',
  title: 'refuses a body whose content was changed after signing',
  requirements: ['VRF-3'],
  needs: ['secret'],
  cases: (draw) =>
    (['the id', 'one character'] as const).map((what) =>
      fc.record({
        what: fc.constant(what),
        at: fc.nat({ max: 10_000 }),
        replayed: fc.boolean(),
        notification: draw.notification(),
      }),
    ),
  run: async (kit, { notification, what, at, replayed }) => {
    const signed = kit.compose(notification);
    const twin = await acceptedTwin(kit, replayed ? signed : kit.compose(notification));
    const attack =
      what === 'the id'
        ? { ...kit.compose(notification), headers: signed.headers }
        : { ...signed, body: withLetterChanged(signed.body, at, kept(kit, notification)) };
    const difference = `${what} changed after signing${replayed ? ', under the signature of a delivery that was accepted' : ''}`;
    return expectChangeRefused(kit, attack, signed, { requirement: 'VRF-3', twin, difference });
  },
  hint: 'The whole body is signed, every byte of it: compute the HMAC over all of it and nothing else.',
});

/** Section 5.2: how a refusal looks. */
export const refusal = receiverCheck<{ notification: Notification; forgery: Forgery }>({
  id: 'receiver/signature/refusal',
  title: 'refuses with a 4xx status and without a word about the expected signature',
  requirements: ['VRF-4', 'ROB-1'],
  fatal: 'ROB-1',
  needs: ['secret'],
  disturbs: true,
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
    const point = { requirement: 'VRF-4', twin, difference: describeForgery(forgery) };
    const leak = leakedIn(answer, kit, genuine);
    if (leak) {
      return finding([attempt(delivery, answer)], point, {
        expected: 'a refusal that tells nothing of the expected signature',
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
  hint: 'Answer 401 or 403 with a fixed text. A 5xx says that the receiver is broken, and a helpful error message hands out the signature.',
});

/** Section 5.2: a signature with something behind it is another signature. */
export const nothingAdded = receiverCheck<{ notification: Notification; addition: Addition }>({
  id: 'receiver/signature/nothing-added',
  title: 'refuses the right signature with something added to it',
  requirements: ['VRF-5'],
  needs: ['secret'],
  weight: 0.5,
  cases: (draw) =>
    additions.map((addition) => fc.record({ addition: fc.constant(addition), notification: draw.notification() })),
  run: async (kit, { notification, addition }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = withAddition(kit, kit.compose(notification), addition);
    return expectRefused(kit, delivery, { requirement: 'VRF-5', twin, difference: addition });
  },
  hint: 'Compare the whole header value. Decoders of hex and base64 drop what they cannot read, so junk behind a signature passes.',
});

const spellings = ['lower case', 'upper case', 'mixed case'] as const;

const additions = [
  'two more digits at the end',
  'letters that are no digits at the end',
  'a second value in a second header line',
  'a second value in a header line before it',
] as const;
type Addition = (typeof additions)[number];

function withAddition(kit: ReceiverKit, delivery: Delivery, addition: Addition): Delivery {
  const wrong = signatureValue(kit, forge(kit, delivery, { kind: 'another secret', secret: 'other' }));
  const line = [kit.signatureHeader, wrong] as const;
  switch (addition) {
    case 'two more digits at the end':
      return { ...delivery, headers: withValue(kit, delivery, (value) => `${value}00`) };
    case 'letters that are no digits at the end':
      return { ...delivery, headers: withValue(kit, delivery, (value) => `${value}~zz`) };
    case 'a second value in a second header line':
      return { ...delivery, headers: [...delivery.headers, line] };
    case 'a second value in a header line before it':
      return { ...delivery, headers: [line, ...delivery.headers] };
  }
}

/** A changed body: it is refused, and takes no effect under the id that was signed or the one that it carries. */
async function expectChangeRefused(
  kit: ReceiverKit,
  attack: Delivery,
  signed: Delivery,
  point: Parameters<typeof expectRefused>[2],
) {
  if (attack.body.equals(signed.body)) throw new Unproven('the change left the body as it was');
  const accepted = await expectRefused(kit, attack, point);
  if (accepted || kit.attempts.some(({ delivery, answer }) => delivery.id === attack.id && kit.accepts(answer)))
    return accepted;
  return expectEffects(kit, { attempts: kit.attempts.slice(-1), claim: 'none', point });
}

function respelt(name: string, spelling: (typeof spellings)[number]): string {
  if (spelling === 'lower case') return name.toLowerCase();
  if (spelling === 'upper case') return name.toUpperCase();
  return [...name].map((letter, place) => (place % 2 ? letter.toUpperCase() : letter.toLowerCase())).join('');
}

function asciiOnly(body: Buffer): Buffer {
  return Buffer.from(
    body.toString().replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/**
 * Changes one letter or digit inside a text of the body, so that it stays a notification: what is `kept` stays too,
 * lest it be refused for another reason.
 */
function withLetterChanged(body: Buffer, at: number, keep: readonly string[]): Buffer {
  const copy = Buffer.from(body);
  const texts = [...copy.toString('latin1').matchAll(/(?<=:")[a-zA-Z0-9][\w.-]*(?=")/g)].filter(
    ([text]) => !keep.includes(text),
  );
  const places = texts.map(({ index, 0: text }) => index + (at % text.length));
  const place = places[at % places.length];
  if (place !== undefined) copy[place] = copy[place] === 0x30 ? 0x31 : 0x30;
  return copy;
}

/** The type and the event: a receiver may look at them before it looks at the signature. */
function kept({ contract }: ReceiverKit, { event, value }: Notification): readonly string[] {
  return [event, String(valueAt(value, contract.delivery.members.type))];
}
