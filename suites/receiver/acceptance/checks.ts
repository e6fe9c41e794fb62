import fc from 'fast-check';

import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { withPointer } from '../../../generators/json/withPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { awkwardKinds } from '../../../generators/schema/text.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, acceptedTwin, attempt, expectAccepted, finding } from '../expectation.ts';
import { everyEvent } from './everyEvent.ts';
import { spoilings, spoilt, type Spoiling } from '../spoiling.ts';
import { expectStillServing } from '../stillServing.ts';
import { eventName, unknownMember, withMember, type UnknownMember } from './unknown.ts';
import { answersInTime } from './answersInTime.ts';
import { everyUuidVersion } from './uuidVersions.ts';
import type { Draw } from '../../draw.ts';

/** Section 2.2: any delivery status may stand in the body. */
const everyDeliveryStatus = receiverCheck<Notification>({
  id: 'receiver/acceptance/delivery-status',
  title: 'accepts every delivery status in the body',
  requirements: ['RCV-2'],
  needs: [],
  cases: (draw) => draw.statuses.map((status) => draw.notification({ status })),
  run: (kit, notification) => {
    const { status } = kit.contract.delivery.members;
    const initial = valueAt(kit.plain(notification).value, status) ?? null;
    const neighbour = { ...notification, value: withPointer(notification.value, status, initial) };
    return expectAcceptedBeside(
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
const anyIncluded = receiverCheck<Notification>({
  id: 'receiver/acceptance/included',
  title: 'accepts any related resources, and none',
  requirements: ['RCV-2'],
  needs: [],
  cases: (draw) => [
    draw.notification({ included: 'empty' }),
    ...(draw.mayLackIncluded ? [draw.notification({ included: 'absent' })] : []),
    draw.notification({ included: 'plausible' }),
    draw.notification({ included: { bytes: sizeOf(draw, 16) } }),
    fc.nat({ max: 48 }).chain((more) => draw.notification({ included: { bytes: sizeOf(draw, 16 + more) } })),
  ],
  run: async (kit, notification) => {
    const isLacking = valueAt(notification.value, kit.contract.delivery.members.included) === undefined;
    const difference = isLacking ? 'no list of related resources in the body' : 'other related resources in the body';
    const found = await expectAcceptedBeside(kit, kit.plain(notification), notification, difference);
    const [answered] = found?.attempts ?? [];
    if (!isLacking || answered?.answer.kind !== 'answered' || kit.assumed('included.presence') !== 'any') return found;
    kit.observe('GAP-1', 'a body without a list of related resources is not accepted', describeAnswer(answered.answer));
    return undefined;
  },
  hint:
    'Raise the limit of the body parser (and of the proxy before it) so that bodies up to 64 KiB pass (or what ' +
    '--assume body.judged says), and do not expect a fixed list of related resources.',
});

/** So many 64ths of the size that a receiver has to take. */
function sizeOf({ judgedSize }: Draw, parts: number): number {
  return Math.floor((judgedSize * parts) / 64);
}

interface TimestampCase {
  /** The digits of the creation time's fraction; null where every timestamp of the notification has some of its own. */
  readonly fraction: string | null;
  readonly notification: Notification;
}

/** Section 2.2: every RFC 3339 timestamp in UTC. */
const anyTimestamp = receiverCheck<TimestampCase>({
  id: 'receiver/acceptance/timestamps',
  title: 'accepts timestamps with and without fractions of a second',
  requirements: ['RCV-2'],
  needs: [],
  cases: (draw) => [
    fc.record({ fraction: fc.constant(null), notification: draw.notification({ timestamps: 'any' }) }),
    ...[1, 2, 3, 4, 5, 6, 0].map((digits) =>
      fc.record({ fraction: digitsOf(digits), notification: draw.notification() }),
    ),
  ],
  run: (kit, { fraction, notification }) => {
    if (fraction === null) return expectAcceptedBeside(kit, kit.plain(notification), notification, 'other timestamps');
    const fractional = withFraction(kit, notification, fraction);
    const difference =
      fraction === ''
        ? 'the creation time is in whole seconds'
        : `the creation time has ${fraction.length} digits of a second`;
    return expectAcceptedBeside(kit, notification, fractional, difference);
  },
  hint: 'Parse timestamps with a parser for RFC 3339, not with one fixed pattern: 0 to 6 digits of a second may follow.',
});

/** Section 2.2: text in the body is Unicode. */
const anyText = receiverCheck<Notification>({
  id: 'receiver/acceptance/text',
  title: 'accepts text in any script',
  requirements: ['RCV-2'],
  needs: [],
  cases: (draw) => [...awkwardKinds, 'unicode' as const].map((text) => draw.notification({ text })),
  run: (kit, notification) =>
    expectAcceptedBeside(
      kit,
      kit.plain(notification),
      notification,
      'characters beyond ASCII, or ones that JSON escapes',
    ),
  hint:
    'Read the body as bytes, compute the signature over these bytes, and decode them as UTF-8 only afterwards. A ' +
    'database column must take characters outside the basic plane too.',
});

/** Section 4.4: the media type's spelling does not decide. */
const anyMediaType = receiverCheck<{ notification: Notification; contentType: string }>({
  id: 'receiver/acceptance/media-types',
  title: 'accepts the JSON media types that a service may send',
  requirements: ['RCV-7'],
  needs: [],
  weight: 0.5,
  cases: (draw) =>
    draw.mediaTypes.map((contentType) =>
      fc.record({ contentType: fc.constant(contentType), notification: draw.notification() }),
    ),
  run: async (kit, { notification, contentType }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    return expectAccepted(kit, kit.compose(notification, { contentType }), {
      requirement: 'RCV-7',
      twin,
      difference: `the header Content-Type: ${contentType}`,
    });
  },
  hint: 'Configure the body parser for every content type (it is JSON in any case), rather than for application/json alone.',
});

/** Sections 2.2 and 6.2: members that were added later change nothing. */
const unknownMembers = receiverCheck<{ notification: Notification; member: UnknownMember }>({
  id: 'receiver/acceptance/unknown-members',
  title: 'ignores members that it does not know',
  requirements: ['RCV-6'],
  needs: [],
  cases: (draw) =>
    draw.memberHolders.map((holder) => fc.record({ member: unknownMember(holder), notification: draw.notification() })),
  run: async (kit, { notification, member }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    return expectAccepted(kit, kit.compose(withMember(notification, member)), {
      requirement: 'RCV-6',
      twin,
      difference: `the member ${member.name} ${member.holder === '' ? 'at the top' : `in ${member.holder}`}`,
    });
  },
  hint: 'Validate only what you use. A schema that refuses unknown members fails on the day the service adds one.',
});

/** Section 6.2: the event routes the handling, and an unknown one breaks nothing. */
const unknownEvent = receiverCheck<{ notification: Notification; name: string }>({
  id: 'receiver/acceptance/unknown-event',
  title: 'survives an event that it does not know',
  requirements: ['RCV-6'],
  needs: [],
  weight: 0.5,
  cases: (draw) => [
    fc.record({ name: eventName(draw), notification: draw.notification() }),
    ...draw.unsubscribed.map((event) =>
      fc.record({ name: fc.constant(event.name), notification: draw.notification() }),
    ),
  ],
  run: async (kit, { notification, name }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const { members } = kit.contract.delivery;
    const unknown: Notification = { event: name, value: withPointer(notification.value, members.event, name) };
    return expectAccepted(kit, kit.compose(unknown), {
      requirement: 'RCV-6',
      twin,
      difference: `the event is ${JSON.stringify(name)}`,
    });
  },
  hint:
    'Answer an event that you do not handle with an accepting status: any other answer makes the service send it again ' +
    'and again, up to the last retry.',
});

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
    spoilings.map((spoil) => fc.record({ spoil: fc.constant(spoil), notification: draw.notification() })),
  run: async (kit, { notification, spoil }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const { members } = kit.contract.delivery;
    const delivery = kit.compose(notification, { rewrite: (body) => spoilt(body, spoil, members.id) });
    const answer = await kit.deliver(delivery);
    if (!kit.accepts(answer)) return expectStillServing(kit, { requirement: 'ROB-1', difference: spoil });
    return finding(
      [attempt(delivery, answer)],
      { requirement: 'RCV-5', twin, difference: spoil },
      {
        expected: `any status but ${acceptedStatuses(kit)}: the receiver cannot have taken this as a notification`,
        actual: describeAnswer(answer),
        absence: false,
      },
    );
  },
  hint:
    'Answer 400 to a signed body that is not JSON or has no id. After an accepting status the sender does not ' +
    'deliver the notification again.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const acceptanceChecks: readonly ReceiverCheck[] = [
  everyEvent,
  everyDeliveryStatus,
  anyIncluded,
  anyTimestamp,
  anyText,
  everyUuidVersion,
  anyMediaType,
  unknownMembers,
  unknownEvent,
  answersInTime,
  notANotification,
];

function digitsOf(count: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: count, maxLength: count });
}

/** Section 2.2: where a neighbour is accepted, the notification is accepted too, whatever it differs in. */
async function expectAcceptedBeside(
  kit: ReceiverKit,
  neighbour: Notification,
  notification: Notification,
  difference: string,
): Promise<Finding | undefined> {
  const twin = await acceptedTwin(kit, kit.compose(neighbour));
  return expectAccepted(kit, kit.compose(notification), { requirement: 'RCV-2', twin, difference });
}

function withFraction({ contract }: ReceiverKit, notification: Notification, fraction: string): Notification {
  const { createdAt } = contract.delivery.members;
  const time = valueAt(notification.value, createdAt);
  if (typeof time !== 'string') return notification;
  const shown = time.replace(/(\.\d+)?Z$/, fraction === '' ? 'Z' : `.${fraction}Z`);
  return { event: notification.event, value: withPointer(notification.value, createdAt, shown) };
}
