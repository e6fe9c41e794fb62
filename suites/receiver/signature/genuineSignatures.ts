import { text } from '../../../generators/schema/text.ts';
import type { Json } from '../../../generators/json/json.ts';
import { houseStyles, inAscii } from '../../../generators/spelling/writeJson.ts';
import { isAllowed, withMember } from '../namesakes.ts';
import fc, { type Arbitrary } from 'fast-check';

import { type Notification, withId } from '../../../generators/notification/notification.ts';
import type { Contract } from '../../../spec/contract.ts';
import { passing } from '../../draw.ts';
import { receiverCheck, Unproven, type Finding } from '../../check.ts';
import { describeAnswer } from '../../answer.ts';
import type { Attempt, Delivery, Header } from '../../delivery.ts';
import type { BodySpelling, ReceiverKit } from '../../kit.ts';
import { finding, type Point } from '../../finding.ts';
import { expectEffectBeside } from '../effect.ts';
import {
  acceptedStatuses,
  acceptedTwin,
  deliveredWithRetries,
  expectAccepted,
  isRefusedAsForged,
} from '../expectation.ts';
import { describeForgery } from '../describeForgery.ts';
import { forge, plainForgery } from '../forgery.ts';
import { betweenParts, inTwo, onWire, overOwnConnection, whole } from '../onWire.ts';
import { acceptedInstead, instead } from './sendForged.ts';
import { describeForm, large, respelling, type Respelling } from './respelling.ts';
import { inPlainText, specialCharacters } from '../plainText.ts';
import { isSignature } from '../signatureHeader.ts';
import { itemOf } from '../../items.ts';

/** Section 5.2: the signature is the one of the raw body, however the body is spelt. */
export const everySpelling = receiverCheck<Respelling>({
  id: 'receiver/signature/every-spelling',
  title: 'accepts and reads a signed body whatever its white space, key order, escapes and numbers look like',
  requirements: ['VRF-1'],
  needs: ['secret'],
  weight: 2,
  judges: 'spelling',
  cases: respelling,
  run: async (kit, { notification, form }) => {
    if (kit.spelling) return notAsItIs(kit, kit.spelling);
    const plain = kit.compose(notification);
    const twin = await deliveredWithRetries(kit, plain);
    if (!kit.accepts(twin.answer)) return refusedForItsSignature(kit, notification, twin);
    const respelt = kit.compose(notification, { form });
    const difference = describeForm(notification, form);
    const found = await expectAccepted(kit, respelt, { requirement: 'VRF-1', twin, difference });
    const [sent] = kit.attempts.slice(-1);
    if (!found)
      return sent && expectEffectBeside(kit, twin, sent, { requirement: 'VRF-1', twin, difference, hint: lost });
    if (await isRefusedOtherwise(kit, notification, found)) return { ...found, hint: unread };
    return (await isTrimmed(kit, plain, respelt)) ? { ...found, hint: trimmedAway } : found;
  },
  hint:
    'Compute the signature over the bytes as they arrived. Parsing the body and writing it again (JSON.stringify, json.dumps, ' +
    'json_encode) loses white space, key order and escapes. Most frameworks need a raw body option for this route.',
});

const trimmedAway =
  'Only white space at an end of the body makes the difference. Hash all bytes that arrived, and trim none of them: no strip() or ' +
  'trim(), no reader of lines, no $(cat) of a shell, which drops the line feeds at the end.';

/** Whether only the ends differ of what was refused, and white space within is no reason to refuse. */
async function isTrimmed(kit: ReceiverKit, plain: Delivery, refused: Delivery): Promise<boolean> {
  const [one, other] = [plain, refused].map(({ body, id }) => body.toString('latin1').replaceAll(id, '').trim());
  if (one !== other) return false;
  const again = kit.again(plain);
  const indented = houseStyles.indented(JSON.parse(again.body.toString()) as Json);
  return kit.accepts(await kit.deliver(kit.withBody(again, Buffer.from(indented))));
}

/** Bodies are accepted where they are written in one way, and refused in the usual one. */
async function notAsItIs(kit: ReceiverKit, { rewrite, words }: BodySpelling): Promise<Finding | undefined> {
  const twin = await acceptedTwin(kit, kit.compose(kit.control, { rewrite }));
  const difference = `the body as JSON.stringify of JavaScript writes it, not ${words}`;
  return expectAccepted(kit, kit.compose(kit.control), { requirement: 'VRF-1', twin, difference });
}

const wholeParser =
  'Read the body with a whole JSON parser: a pattern, a path of a database (json_extract of an older SQLite) or a parser ' +
  'written by hand may miss escapes in names, numbers with exponents, or white space.';

const unread =
  'A forged delivery gets another status, so the signature was found right, and it is the content that was refused: what reads ' +
  `it takes one spelling of JSON alone. ${wholeParser}`;

const lost = `It was acknowledged, and lost: what reads the content takes one spelling of JSON alone. ${wholeParser}`;

/**
 * Whether a forgery gets another status than what was refused here: then it was not refused for its signature. It is of the
 * same notification, for what failing cases have in common is reported.
 */
async function isRefusedOtherwise(
  kit: ReceiverKit,
  notification: Notification,
  { attempts }: Finding,
): Promise<boolean> {
  const refused = attempts.at(-1)?.answer;
  if (refused?.kind !== 'answered') return false;
  const forged = await kit.deliver(forge(kit, kit.compose(notification), plainForgery));
  return forged.kind === 'answered' && !kit.accepts(forged) && forged.status !== refused.status;
}

/**
 * A genuine delivery was refused, and it is seen that it was for its signature: as a forgery is where plain text is accepted, or
 * the same content is accepted with another signature.
 *
 * @throws Unproven where neither is so
 */
async function refusedForItsSignature(
  kit: ReceiverKit,
  notification: Notification,
  refused: Attempt,
): Promise<Finding> {
  const plain = await deliveredWithRetries(
    kit,
    kit.compose({ ...notification, value: inPlainText(notification.value) }),
  );
  if (kit.accepts(plain.answer) && (await isRefusedAsForged(kit, refused.answer)))
    return refusedGenuine(kit, refused, { twin: plain, difference: specialCharacters, hint: changedText });
  const { forgery, twin } = await acceptedInstead(kit, refused);
  const difference = `the right signature, not this: ${describeForgery(forgery)}`;
  return refusedGenuine(kit, refused, { twin, difference, hint: instead });
}

const changedText =
  'The same body in plain text is accepted, and this one refused as a forgery: it was changed before it was hashed. Hash the bytes as ' +
  'they arrived, before anything undoes escapes in them (stripslashes), filters input, or decodes text.';

function refusedGenuine(kit: ReceiverKit, refused: Attempt, point: Omit<Point, 'requirement'>): Finding {
  return finding(
    { requirement: 'VRF-1', ...point },
    {
      attempts: [refused],
      expected: `the delivery is accepted: status ${acceptedStatuses(kit)}`,
      actual: describeAnswer(refused.answer),
      absence: true,
    },
  );
}

/** A notification with characters beyond ASCII, and how its body arrives. */
interface BeyondAscii {
  readonly notification: Notification;
  /** Which of the places within a character the body is cut at, counted round; null where it is sent whole. */
  readonly cut: number | null;
}

/** The id that was drawn does not count: each delivery gets one of its own. */
function isBeyondAscii(contract: Contract): (notification: Notification) => boolean {
  return (drawn) => isAllowed(contract, drawn) && /[^\0-\x7f]/.test(JSON.stringify(withId(contract, drawn, '').value));
}

/** Bodies without any free text get a member of their own for it; one that is no object has no room for it. */
function withNote(notifications: Arbitrary<Notification>): Arbitrary<Notification> {
  return fc
    .record({ notification: notifications, value: text({ kind: 'unicode', minLength: 1 }) })
    .map(({ notification, value }) => withMember(notification, { holder: '', name: 'x_note', value }));
}

/** Section 5.2: the digest is over bytes, so text beyond ASCII must not change it, nor the pieces in which it arrives. */
export const beyondAscii = receiverCheck<BeyondAscii>({
  id: 'receiver/signature/beyond-ascii',
  title: 'accepts a signed body with characters beyond ASCII as they are',
  requirements: ['VRF-1'],
  needs: ['secret'],
  cases: (draw) => {
    const written = draw.notification({ text: 'unicode' });
    const isFit = isBeyondAscii(draw.contract);
    const [notification] = [written, withNote(written)].flatMap((each) => passing(each, isFit));
    if (notification === undefined) return [];
    const whole = fc.constant(null);
    // Many characters, so that one of them lies across the end of any buffer.
    const many = large(draw).map((drawn) =>
      withMember(drawn, { holder: '', name: 'x_note', value: '\u20ac'.repeat(2000) }),
    );
    return [
      fc.record({ cut: whole, notification }),
      fc.record({ cut: fc.noShrink(fc.nat()), notification }),
      ...passing(many, isFit).map((noted) => fc.record({ cut: whole, notification: noted })),
    ];
  },
  run: async (kit, { notification, cut }) => {
    if (cut !== null) return acceptsInParts(kit, notification, cut);
    const twin = await acceptedTwin(
      kit,
      kit.compose(notification, { rewrite: (body) => Buffer.from(inAscii(body.toString())) }),
    );
    return expectAccepted(kit, kit.compose(notification), {
      requirement: 'VRF-1',
      twin,
      difference: 'characters beyond ASCII stand there as they are (UTF-8), not as \\u escapes',
    });
  },
  hint:
    'Hash the bytes of the body as they arrived. A body that was parsed and written again has \\u escapes in their place (json.dumps, ' +
    'json_encode), and one that was decoded to text and encoded again, in Latin-1 for example, has other bytes.',
});

/** The body arrives in two parts, and a character of it in two halves. */
async function acceptsInParts(kit: ReceiverKit, notification: Notification, cut: number): Promise<Finding | undefined> {
  const delivery = kit.compose(notification);
  const { length } = delivery.body;
  const places = placesWithinCharacters(delivery.body);
  const place = places[cut % places.length];
  if (place === undefined) throw new Unproven('the body holds no character of more than one byte');
  const twin = await acceptedTwin(kit, overOwnConnection(kit.compose(notification)));
  return expectAccepted(kit, onWire(delivery, inTwo(place / length, { pause: betweenParts })), {
    requirement: 'VRF-1',
    twin,
    difference: `the body comes in two parts, ${betweenParts} ms apart, cut within a character (after byte ${place} of ${length})`,
    hint:
      'Collect the parts of the body as bytes, join them (Buffer.concat), and hash that. Where each part is decoded to ' +
      'text by itself (body += part), a character that arrives in two halves turns into U+FFFD, and the digest is another.',
  });
}

/** The places in UTF-8 before each byte of a character but its first. */
function placesWithinCharacters(body: Buffer): readonly number[] {
  return [...body.entries()].flatMap(([place, byte]) => (byte >= 0x80 && byte < 0xc0 ? [place] : []));
}

/** RFC 9110, section 5.1: names of header fields are case-insensitive. RFC 9112, section 5: the space behind the colon is optional. */
export const headerCase = receiverCheck<{ notification: Notification; spelling: (typeof spellings)[number] }>({
  id: 'receiver/signature/header-case',
  title: 'finds the signature header whatever the case of its name and the space behind its colon',
  requirements: ['VRF-1'],
  needs: ['secret'],
  weight: 0.5,
  cases: (draw) =>
    spellings.map((spelling) => fc.record({ spelling: fc.constant(spelling), notification: draw.notification() })),
  run: async (kit, { notification, spelling }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = kit.compose(notification);
    if (spelling === noSpace) {
      return expectAccepted(kit, onWire(delivery, whole, { colon: ':' }), {
        requirement: 'VRF-1',
        twin,
        difference: spelling,
        hint: noSpaceHint,
      });
    }
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
export const everySecret = receiverCheck<{ which: number }>({
  id: 'receiver/signature/every-secret',
  title: 'accepts each of the secrets that it was given',
  requirements: ['VRF-1'],
  needs: ['secret'],
  weight: 0.5,
  cases: (draw) => draw.secrets.map((_, which) => fc.record({ which: fc.constant(which) })),
  run: async (kit, { which }) => {
    const twin = await acceptedTwin(kit, kit.compose(kit.control));
    return expectAccepted(kit, kit.compose(kit.control, { secret: itemOf(kit.secrets, which) }), {
      requirement: 'VRF-1',
      twin,
      difference: `signed with secret ${which + 1} of ${kit.secrets.length}`,
      differsIn: 'signature',
    });
  },
  hint: 'Try each secret before you refuse. During a rotation two secrets are valid.',
});

const noSpace = 'no space behind the colons of the headers';

const noSpaceHint =
  'HTTP leaves the white space behind a colon to the sender (RFC 9112, section 5): split a line of the head at its first colon, ' +
  'and trim the value. Where you can, leave that to an HTTP library.';

const spellings = ['lower case', 'upper case', 'mixed case', noSpace] as const;

function respelt(name: string, spelling: Exclude<(typeof spellings)[number], typeof noSpace>): string {
  if (spelling === 'lower case') return name.toLowerCase();
  if (spelling === 'upper case') return name.toUpperCase();
  return Array.from(name, (letter, place) => (place % 2 ? letter.toUpperCase() : letter.toLowerCase())).join('');
}
