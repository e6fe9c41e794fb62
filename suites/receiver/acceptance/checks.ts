import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification, NotificationOptions } from '../../../generators/notification/notification.ts';
import { placeOf } from '../../../spec/delivery.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, Unproven, type ReceiverCheck } from '../../check.ts';
import { finding } from '../../finding.ts';
import type { Answer } from '../../delivery.ts';
import { acceptedStatuses, acceptedTwin, attempt } from '../expectation.ts';
import { isNonsense, spoilingsOf, spoilt, type Spoiling } from '../spoiling.ts';
import { expectStillServing } from '../stillServing.ts';
import { answerEnds, oneConnection, inPieces } from './connections.ts';
import { anyText, textHint, anyMediaType, everyUuidVersion } from './allowedForms.ts';
import { everyEvent } from './everyEvent.ts';
import { otherResources, type RelatedCase } from './otherResources.ts';
import { acceptedBeside } from './acceptedBeside.ts';
import { anyTimestamp, timestampAhead } from './timestamps.ts';
import { unknownEvent } from './unknownEvents.ts';
import { unknownMembers } from './unknownMembers.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { sizeText } from '../../../spec/units.ts';
import { largeNat } from '../../../generators/arbitraries.ts';
import { itemOf, pairs } from '../../items.ts';

/** Section 2.2: any delivery status may stand in the body. */
const everyDeliveryStatus = receiverCheck<Notification>({
  id: 'receiver/acceptance/delivery-status',
  title: 'accepts every delivery status in the body',
  requirements: ['RCV-2'],
  needs: [],
  about: ['status'],
  cases: (draw) => draw.statuses.map((status) => draw.notification({ status })),
  run: (kit, notification) => {
    const status = placeOf(kit.contract, 'status');
    const initial = valueAt(kit.plain(notification).value, status) ?? null;
    const neighbour = { ...notification, value: withPointer(notification.value, status, initial) };
    return acceptedBeside(
      kit,
      neighbour,
      notification,
      `the delivery status is ${JSON.stringify(valueAt(notification.value, status) ?? null)}`,
    );
  },
  hint:
    'Do not refuse or drop a notification because of its delivery status. The status only says how far the ' +
    'sender has come with it.',
});

/** Section 2.2: what `included` holds is open, and so is whether it may be absent (GAP-1). */
const anyIncluded = receiverCheck<RelatedCase>({
  id: 'receiver/acceptance/included',
  title: 'accepts any related resources, and none',
  requirements: ['RCV-2'],
  needs: [],
  about: ['related'],
  cases: (draw) => [
    related(draw, 'empty'),
    ...(draw.mayLackIncluded ? [related(draw, 'absent', 'no list of related resources in the body')] : []),
    related(draw, 'plausible'),
    related(draw, { bytes: sizeOf(draw, 16) }),
    fc.nat({ max: 48 }).chain((more) => related(draw, { bytes: sizeOf(draw, 16 + more) })),
    ...largestBodies(draw),
    largerBodies(draw),
    ...otherResources(draw),
  ],
  run: async (kit, { notification, difference, mayBeRefused, inAscii }) => {
    if (mayBeRefused === true) return notDropped(kit, notification, difference);
    const isLacking = valueAt(notification.value, placeOf(kit.contract, 'included')) === undefined;
    const found = await acceptedBeside(kit, withUsualOnes(kit, notification), notification, difference);
    if (found && inAscii && kit.accepts(await kit.deliver(kit.compose(inAscii)))) return { ...found, hint: textHint };
    const [answered] = found?.attempts ?? [];
    if (!isLacking || answered?.answer.kind !== 'answered' || kit.assumed('included.presence') !== 'any') return found;
    const what = found?.effects === undefined ? 'is not accepted' : 'is accepted, and takes no effect';
    kit.observe('GAP-1', `a body without a list of related resources ${what}`, describeAnswer(answered.answer));
    return undefined;
  },
  hint:
    'Do not expect a fixed list of related resources. Whatever you read of one may be missing, null, of another type, a ' +
    'number with a fraction, or longer than your column: look whether it is there, ignore kinds that you do not know, and ' +
    'store the notification before you interpret it. Where large bodies fail, raise the limit of the body parser (and of ' +
    'the proxy before it) so that 64 KiB pass (or what --assume body.judged says).',
});

function related(
  draw: Draw,
  included: NonNullable<NotificationOptions['included']>,
  words?: string,
): fc.Arbitrary<RelatedCase> {
  return draw.notification({ included }).map((notification) => ({
    notification,
    difference: words ?? relatedWords(valueAt(notification.value, placeOf(draw.contract, 'included'))),
  }));
}

function relatedWords(included: Json | undefined): string {
  if (!Array.isArray(included)) return 'other related resources in the body';
  return included.length === 0
    ? 'an empty list of related resources'
    : `other related resources, ${included.length} of them`;
}

/**
 * Bodies of just the size that has to be taken, and of a byte less, of characters of one to four bytes. Both sizes are tried
 * at any intensity: a size that is kept in 16 bits ends between them.
 */
function largestBodies(draw: Draw): readonly (readonly fc.Arbitrary<RelatedCase>[])[] {
  const largest = draw.judgedSize;
  const texts = (bytes: number) =>
    ['a', 'é', '€', '😀'].map((of) =>
      related(draw, { bytes, of }, `a body of ${bytes} bytes, most of them a text of the character ${of}`).map(
        (drawn) => (of === 'a' ? drawn : { ...drawn, inAscii: withLetters(drawn.notification, of) }),
      ),
    );
  const resources = related(draw, { bytes: largest }, `a body of ${largest} bytes, of many related resources`);
  return [[resources, ...texts(largest)], texts(largest - 1)];
}

/** As many bytes of letters in the place of a character. */
function withLetters(notification: Notification, character: string): Notification {
  const letters = 'a'.repeat(Buffer.byteLength(character));
  const value = JSON.parse(JSON.stringify(notification.value).replaceAll(character, letters)) as Json;
  return { ...notification, value };
}

/** The same with the related resources of the plain notification. */
function withUsualOnes(kit: ReceiverKit, notification: Notification): Notification {
  const place = placeOf(kit.contract, 'included');
  const plain = kit.plain(notification);
  const usual = valueAt(plain.value, place);
  return usual === undefined ? plain : { ...notification, value: withPointer(notification.value, place, usual) };
}

/** Bodies that a receiver may refuse for their size (GAP-23). What it accepts takes effect, as it does of any size. */
function largerBodies(draw: Draw): readonly fc.Arbitrary<RelatedCase>[] {
  return [2, 8, 15].map((times) => {
    const bytes = times * draw.judgedSize;
    return related(draw, { bytes, of: 'a' }, `a body of ${sizeText(bytes)}`).map((large) => ({
      ...large,
      mayBeRefused: true,
    }));
  });
}

/** Whether it is accepted is another matter. */
async function notDropped(kit: ReceiverKit, notification: Notification, difference: string) {
  const answer = await kit.deliver(kit.compose(notification));
  if (!kit.accepts(answer)) return undefined;
  const found = await acceptedBeside(kit, withUsualOnes(kit, notification), notification, difference);
  return found?.effects === undefined ? undefined : found;
}

/** So many 64ths of the size that a receiver has to take. */
function sizeOf({ judgedSize }: Draw, parts: number): number {
  return Math.floor((judgedSize * parts) / 64);
}

/** Section 4.4: an accepting answer says that the payload was accepted. */
const notANotification = receiverCheck<{ notification: Notification; spoil: Spoiling }>({
  id: 'receiver/acceptance/not-a-notification',
  title: 'does not accept what it cannot have understood',
  requirements: ['RCV-5', 'ROB-1'],
  fatal: 'ROB-1',
  needs: [],
  canary: true,
  schedule: { kind: 'alone' },
  weight: 0.6,
  cases: (draw) =>
    spoilingsOf(draw.contract).map((spoil) =>
      fc.record({ spoil: fc.constant(spoil), notification: draw.notification() }),
    ),
  run: async (kit, { notification, spoil }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const { members } = kit.contract.delivery;
    const delivery = kit.compose(notification, { rewrite: (body) => spoilt(body, spoil, members.id) });
    const answer = await kit.deliver(delivery);
    if (!kit.accepts(answer) || !isNonsense(kit.contract, spoil, delivery.body))
      return expectStillServing(kit, { requirement: 'ROB-1', difference: spoil });
    return finding(
      { requirement: 'RCV-5', twin, difference: spoil },
      {
        attempts: [attempt(delivery, answer)],
        expected: `any status but ${acceptedStatuses(kit)}: the receiver cannot have taken this as a notification`,
        actual: describeAnswer(answer),
        absence: false,
      },
    );
  },
  hint:
    'Answer 400 to a signed delivery whose body is not JSON, or that has no id. After an accepting status the sender ' +
    'does not deliver it again. Some parsers stop behind the first value, or take a comma too many: switch their strict mode on. ' +
    'An id that the body does not have may come from an earlier body (__proto__).',
});

/** A late answer, in words. */
function lateText(answer: Answer): string {
  return answer.kind === 'answered'
    ? `${describeAnswer(answer)} after ${Math.round(answer.ms)} ms`
    : describeAnswer(answer);
}

/** Deliveries at the same time, for each that the user lets the kit have in flight. */
const burst = 4;

/** Section 4.4: the answer comes before the sender's time-out, also under load. */
const answersInTime = receiverCheck<{ beside: number; notification: Notification }>({
  id: 'receiver/acceptance/answers-in-time',
  title: 'answers within the delivery time-out while deliveries arrive at the same time',
  requirements: ['RCV-4'],
  needs: [],
  judges: 'plain',
  schedule: { kind: 'alone', burst },
  weight: 0.2,
  cases: (draw) => [fc.record({ beside: largeNat(burst * draw.concurrency), notification: draw.notification() })],
  run: async (kit, { beside, notification }) => {
    const deliveries = Array.from({ length: beside + 1 }, () => kit.compose(notification));
    const answers = await kit.together(deliveries);
    // Users may wait longer than the sender does.
    const limit = Math.min(kit.timeout, kit.contract.delivery.timeout ?? Infinity);
    const isLate = (answer: Answer): boolean =>
      answer.kind === 'timed-out' || (answer.kind === 'answered' && answer.ms > limit);
    const late = pairs(deliveries, answers).filter(([, answer]) => isLate(answer));
    const [first] = late;
    if (answers.every(({ kind }) => kind === 'broken'))
      throw new Unproven(`no answer came whole: ${describeAnswer(itemOf(answers, 0))}`);
    if (first === undefined) return undefined;
    const isOne = deliveries.length === 1;
    return finding(
      { requirement: 'RCV-4', concurrent: true },
      {
        attempts: [attempt(...first)],
        expected: `an answer within ${limit} ms${isOne ? '' : ` to each of ${deliveries.length} deliveries at the same time`}`,
        actual: isOne ? lateText(first[1]) : `${late.length} of ${deliveries.length} deliveries had no answer by then`,
        absence: true,
      },
    );
  },
  hint: 'Store or queue the notification and answer at once; do the work afterwards, in the background.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const acceptanceChecks: readonly ReceiverCheck[] = [
  everyEvent,
  everyDeliveryStatus,
  anyIncluded,
  anyTimestamp,
  timestampAhead,
  anyText,
  everyUuidVersion,
  anyMediaType,
  unknownMembers,
  oneConnection,
  inPieces,
  answerEnds,
  unknownEvent,
  answersInTime,
  notANotification,
];
