import fc, { type Arbitrary } from 'fast-check';

import { valueAt } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { type CaseKind, receiverCheck, Unproven } from '../../check.ts';
import { type Draw, passing } from '../../draw.ts';
import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Composition, ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import type { Point } from '../../finding.ts';
import { describeAnswer } from '../../answer.ts';
import { sizeText } from '../../../spec/units.ts';
import { acceptedTwin, answeredForgery, attempt, expectRefused } from '../expectation.ts';
import { itemOf } from '../../items.ts';
import { isAllowed } from '../namesakes.ts';
import { filled, sizes } from './setting.ts';
import { bodyChanges, type BodyChange } from './bodyChanges.ts';
import { large, describeForm, respelling, type Respelling } from './respelling.ts';

/** Two bodies that mean the same, in one of which a byte differs at least. */
interface ChangedBody {
  readonly notification: Notification;
  readonly change: BodyChange;
  /** Which of the two is signed; the other one is sent. */
  readonly signed: 'plain' | 'odd';
}

/** Section 5.2: the raw body is what is signed, so any change of it is refused. */
export const changedAfterSigning = receiverCheck<ChangedBody>({
  id: 'receiver/signature/changed-after-signing',
  title: 'refuses a body changed after signing, even where it parses to the same value',
  requirements: ['VRF-3'],
  needs: ['secret'],
  canary: true,
  weight: 2,
  cases: (draw) => [
    ...respelling(draw).map((kind) =>
      (['plain', 'odd'] as const).flatMap((signed) => mapped(kind, (respelt) => inOtherSpelling(respelt, signed))),
    ),
    ...bodyChanges
      .map((change) => change.signed.flatMap((signed) => changedSo(draw, change, signed)))
      .filter((variants) => variants.length > 0),
  ],
  run: async (kit, { notification, change, signed }) => {
    const [genuine, other] = signed === 'plain' ? [change.plain, change.odd] : [change.odd, change.plain];
    const twin = await acceptedEither(kit, notification, change);
    const right = kit.compose(notification, genuine);
    const sent = kit.compose(notification, { ...other, ...inCharset(kit, change), id: right.id });
    return expectChangeRefused(kit, { ...kit.withBody(sent, right.body), body: sent.body }, right, {
      requirement: 'VRF-3',
      twin,
      difference: signed === 'plain' ? change.name : `the signature is that of another spelling: ${change.name}`,
      hint: change.hint,
    });
  },
  hint: 'Verify the bytes as they arrived, before a JSON parser touches them.',
});

/** None where no body has room for what is changed. */
function changedSo(draw: Draw, change: BodyChange, signed: ChangedBody['signed']): readonly Arbitrary<ChangedBody>[] {
  const drawn = fc.record({
    change: fc.constant(change),
    signed: fc.constant(signed),
    notification: draw.notification(),
  });
  return change.inObjects === true
    ? passing(drawn, ({ notification }) => hasRoom(draw, notification, change))
    : [drawn];
}

/** Whether the contract allows the text that the change puts into the body. */
function hasRoom({ contract }: Draw, { event, value }: Notification, { plain: { rewrite } }: BodyChange): boolean {
  if (!isJsonObject(value) || rewrite === undefined) return false;
  const noted = JSON.parse(rewrite(Buffer.from(JSON.stringify(value))).toString()) as Json;
  return isAllowed(contract, { event, value: noted });
}

function mapped(
  kind: CaseKind<Respelling>,
  map: (respelt: Respelling) => ChangedBody,
): readonly Arbitrary<ChangedBody>[] {
  return [kind].flat().map((variant) => variant.map(map));
}

function inOtherSpelling({ notification, form }: Respelling, signed: ChangedBody['signed']): ChangedBody {
  const name = describeForm(notification, form);
  return { notification, change: { name, plain: {}, odd: { form }, signed: ['plain', 'odd'] }, signed };
}

/** A receiver may accept one of the two as it is signed only: that which its own serialiser would have written. */
async function acceptedEither(
  kit: ReceiverKit,
  notification: Notification,
  { plain, odd }: BodyChange,
): Promise<Attempt> {
  const delivery = kit.compose(notification, plain);
  const answer = await kit.deliverWithRetries(delivery);
  return kit.accepts(answer) ? attempt(delivery, answer) : acceptedTwin(kit, kit.compose(notification, odd));
}

function inCharset({ contract }: ReceiverKit, { charset }: BodyChange): Composition {
  return charset === undefined ? {} : { contentType: `${contract.delivery.mediaType}; charset=${charset}` };
}

interface ChangedContent {
  readonly notification: Notification;
  readonly what: 'the id' | 'one character';
  readonly at: number;
  readonly replayed: boolean;
}

/** A body with white space at its end, of which the last byte is changed after signing, or behind which one is added. */
interface ChangedEnd {
  readonly notification: Notification;
  readonly bytes: number;
  readonly end: 'changed' | 'added';
}

/** Section 5.2: the same for a change of what the body says, and of its end, however far from its beginning that is. */
export const changedContent = receiverCheck<ChangedContent | ChangedEnd>({
  id: 'receiver/signature/changed-content',
  title: 'refuses a body whose content was changed after signing',
  requirements: ['VRF-3'],
  needs: ['secret'],
  canary: true,
  cases: (draw) => [
    ...(
      [
        ...(draw.contract.delivery.members.id === undefined ? [] : [['the id', draw.notification()] as const]),
        ['one character', draw.notification()],
        ['one character', large(draw)],
      ] as const
    ).flatMap(([what, notification]) =>
      [false, true].map((replayed) =>
        fc.record({
          what: fc.constant(what),
          at: fc.nat({ max: 10_000 }),
          replayed: fc.constant(replayed),
          notification,
        }),
      ),
    ),
    ...(['changed', 'added'] as const).map((end) =>
      (end === 'changed' ? sizes : buffers).map((bytes) =>
        fc.record({ bytes: fc.constant(bytes), end: fc.constant(end), notification: draw.notification() }),
      ),
    ),
  ],
  run: (kit, value) => ('bytes' in value ? refusesChangedEnd(kit, value) : refusesChange(kit, value)),
  hint: 'The whole body is signed, every byte of it: compute the HMAC over all of it and nothing else.',
});

async function refusesChange(kit: ReceiverKit, { notification, what, at, replayed }: ChangedContent) {
  const signed = kit.compose(notification);
  const keep = [...kept(kit, notification), ...(replayed ? [signed.id] : [])];
  const attack =
    what === 'the id'
      ? { ...kit.compose(notification), headers: signed.headers }
      : { ...signed, body: withLetterChanged(signed.body, at, keep) };
  const changed = attack.body.length === signed.body.length ? what : 'the content';
  const difference = `${changed} changed after signing`;
  if (replayed) return expectReplayRefused(kit, signed, attack, difference);
  const twin = await acceptedTwin(kit, kit.compose(notification));
  return expectChangeRefused(kit, attack, signed, { requirement: 'VRF-3', twin, difference });
}

/** What takes a signature for one that it knows may be one process of several: one connection leads to one of them. */
async function expectReplayRefused(kit: ReceiverKit, signed: Delivery, attack: Delivery, changed: string) {
  const twin = await acceptedTwin(kit, signed);
  const difference = `${changed}, under the signature of a delivery that was accepted before it on the same connection`;
  const point = { requirement: 'VRF-3', twin, difference, concurrent: true, hint: remembered } as const;
  const answer = itemOf(await kit.inTurn([signed, attack]), 1);
  if (answer.kind !== 'answered') throw new Unproven(`no refusal was seen: ${describeAnswer(answer)}`);
  if (kit.accepts(answer)) return answeredForgery(kit, attempt(attack, answer), point);
  return attack.id === signed.id
    ? undefined
    : expectEffects(kit, { attempts: [attempt(attack, answer)], claim: 'none', point });
}

const remembered =
  'The signature was remembered as a good one, or looked up by an id, and the body was not hashed again; or what has a known id ' +
  'was answered before it was verified. Compute the HMAC over the body of each request, before you look at anything else.';

/** A body of this size may be refused for that, or cut off: then nothing was accepted that should not be. */
async function refusesChangedEnd(kit: ReceiverKit, { notification, bytes, end }: ChangedEnd) {
  const twin = await acceptedTwin(kit, kit.compose(notification));
  const signed = kit.compose(notification, { rewrite: (body) => filled(body, bytes) });
  const kept = end === 'changed' ? signed.body.subarray(0, -1) : signed.body;
  const attack = { ...signed, body: Buffer.concat([kept, Buffer.from('\n')]) };
  const answer = await kit.deliver(attack);
  if (answer.kind === 'timed-out') throw new Unproven(`no refusal was seen: ${describeAnswer(answer)}`);
  const what = end === 'changed' ? 'of which the last byte was changed' : 'and a line end that was added';
  const difference = `white space behind the body, up to ${sizeText(bytes)}, ${what} after signing`;
  const point = { requirement: 'VRF-3', twin, difference, hint: ofTheBeginning } as const;
  if (kit.accepts(answer)) return answeredForgery(kit, attempt(attack, answer), point);
  return expectEffects(kit, { attempts: [attempt(attack, answer)], claim: 'none', point });
}

/** Bytes that programs read at once, or keep of what is long. */
const buffers: readonly number[] = [4, 8, 16, 32, 64, 128, 1024].map((kibibytes) => kibibytes * 1024);

const ofTheBeginning =
  'Only the beginning of the body is hashed, and anything may follow it. Hash the whole body, or refuse what is too large (413) ' +
  'before you look at it.';

/** A changed body: it is refused, and takes no effect under the id that was signed or the one that it carries. */
async function expectChangeRefused(kit: ReceiverKit, attack: Delivery, signed: Delivery, point: Point) {
  if (attack.body.equals(signed.body)) throw new Unproven(`the change left the body as it was: ${point.difference}`);
  const accepted = await expectRefused(kit, attack, point);
  if (accepted || kit.attempts.some(({ delivery, answer }) => delivery.id === attack.id && kit.accepts(answer)))
    return accepted;
  return expectEffects(kit, { attempts: kit.attempts.slice(-1), claim: 'none', point });
}

/**
 * Changes one letter or digit inside a text of the body, so that it stays a notification: what is `kept` stays too,
 * lest it be refused for another reason.
 */
function withLetterChanged(body: Buffer, at: number, keep: readonly string[]): Buffer {
  const copy = Buffer.from(body);
  const all = [...copy.toString('latin1').matchAll(/(?<=:")[a-zA-Z0-9][\w.-]*(?=")/g)];
  const numbers = [...copy.toString('latin1').matchAll(/(?<=[:,[]-?)\d+/g)];
  // A body may say nothing but which event it is.
  const others = all.filter(([text]) => !keep.includes(text));
  const texts = [others, numbers, all].find((found) => found.length > 0) ?? [];
  const places = texts.map(({ index, 0: text }) => index + (at % text.length));
  const place = places[at % places.length];
  // Nothing but braces, or a single word: whatever else stands there says something else.
  if (place === undefined) return Buffer.from('{"changed":true}');
  copy[place] = copy[place] === 0x30 ? 0x31 : 0x30;
  return copy;
}

/** The type and the event: a receiver may look at them before it looks at the signature. */
function kept({ contract }: ReceiverKit, { event, value }: Notification): readonly string[] {
  const { type } = contract.delivery.members;
  return [event, ...(type === undefined ? [] : [JSON.stringify(valueAt(value, type) ?? null).slice(1, -1)])];
}
