import fc from 'fast-check';

import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { placeOf } from '../../../spec/delivery.ts';
import { receiverCheck } from '../../check.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { createdRecently } from '../creationTime.ts';
import { counted } from '../../items.ts';
import { acceptedBeside } from './acceptedBeside.ts';

interface TimestampCase {
  /** Nothing where every timestamp of the notification is of its own form. */
  readonly change?: (kit: ReceiverKit, notification: Notification) => Notification;
  readonly difference: string;
  readonly notification: Notification;
}

const readTimes =
  'Parse timestamps with a parser for RFC 3339, not with one fixed pattern: 0 to 6 digits of a second may follow. Let a ' +
  'calendar count days, months and years, keep times in UTC, and take none of them for a missing one, not even 0.';

/** Section 2.2: every RFC 3339 timestamp in UTC. */
export const anyTimestamp = receiverCheck<TimestampCase>({
  id: 'receiver/acceptance/timestamps',
  title: 'accepts timestamps with and without fractions of a second, and on the edges of the calendar',
  requirements: ['RCV-2'],
  needs: [],
  about: ['created-at'],
  cases: (draw) => [
    draw
      .notification({ timestamps: 'any' })
      .map((notification) => ({ difference: 'timestamps of any form', notification })),
    ...[1, 2, 3, 4, 5, 6, 0].map((digits) => withDigits(draw, digits)),
    past.map((edge) => atEdge(draw, edge)),
  ],
  run: acceptedAtThatTime,
  hint: readTimes,
});

/** The same of times that lie ahead: a receiver that drops what is older than the newest drops all that comes after them. */
export const timestampAhead = receiverCheck<TimestampCase>({
  id: 'receiver/acceptance/timestamps-ahead',
  title: 'accepts timestamps that lie far ahead',
  requirements: ['RCV-2'],
  needs: [],
  about: ['created-at'],
  schedule: { kind: 'last', grouped: true },
  weight: 0.14,
  cases: (draw) => [future, beyond].map((times) => times.map((edge) => atEdge(draw, edge))),
  run: acceptedAtThatTime,
  hint:
    'Keep times in 64 bits: the seconds since 1970 fit into 32 bits until 19 January 2038 only. Refuse no time because it ' +
    'lies ahead, and let it decide about no later notification: an estimate may be years away.',
});

function acceptedAtThatTime(kit: ReceiverKit, { change, difference, notification }: TimestampCase) {
  return change === undefined
    ? acceptedBeside(kit, withPlainTimes(kit, notification), createdRecently(kit, notification), difference)
    : acceptedBeside(kit, notification, change(kit, notification), difference);
}

/** Where dates and times go wrong: at the ends of days, months, years, counters, and where clocks are changed. */
const past = [
  ['1970-01-01T00:00:00Z', 'second 0 of Unix time'],
  ['2000-01-01T00:00:00Z', 'the first second of a century'],
  ['2000-02-29T08:15:42Z', 'a leap day in a year that ends in 00'],
  ['2024-02-29T00:00:00Z', 'the first second of a leap day'],
  ['2024-02-29T23:59:59Z', 'the last second of a leap day'],
  ['2025-02-28T23:59:59Z', 'the last second of February'],
  ['2024-03-01T00:00:00Z', 'the first second after a leap day'],
  ['2025-04-30T23:59:59Z', 'the last second of a month of 30 days'],
  ['2025-05-31T09:20:31Z', 'a 31st'],
  ['2025-11-01T00:00:00Z', 'the first second of a month'],
  ['2024-12-31T23:59:59Z', 'the last second of a leap year, day 366'],
  ['2025-12-31T23:59:59.999999Z', 'the last microsecond of a year'],
  ['2026-01-01T00:00:00Z', 'the first second of a year'],
  ['2025-06-15T00:00:00Z', 'midnight'],
  ['2025-06-15T00:00:00.000Z', 'midnight, with a fraction of zero'],
  ['2025-06-15T00:00:01Z', 'the first second after midnight'],
  ['2025-06-15T12:00:00Z', 'noon'],
  ['2025-06-15T23:59:59Z', 'the last second of a day'],
  ['2025-06-15T23:59:59.999999Z', 'the last microsecond of a day'],
  ['2025-03-09T02:30:00Z', 'an hour that clocks in America leave out'],
  ['2025-03-30T02:30:00Z', 'an hour that clocks in Europe leave out'],
  ['2025-10-26T01:30:00Z', 'an hour that clocks in Europe have twice'],
  ['2025-11-02T01:30:00Z', 'an hour that clocks in America have twice'],
] as const;

/** The same of times that are far enough ahead. */
const future = [
  ['2028-02-29T12:30:45Z', 'a leap day'],
  ['2033-01-01T10:11:12Z', 'a day of week 53'],
  ['2038-01-19T03:14:07Z', 'the last second that 32 bits hold'],
] as const;

/** Times that 32 bits do not hold, as seconds since 1970. */
const beyond = [
  ['2038-01-19T03:14:08Z', 'the first second that 32 bits do not hold'],
  ['2099-12-31T23:59:59Z', 'the last second of 2099'],
] as const;

function atEdge(
  draw: Draw,
  [time, words]: (typeof past | typeof future | typeof beyond)[number],
): fc.Arbitrary<TimestampCase> {
  return fc.record({
    difference: fc.constant(`every timestamp is ${time} (${words})`),
    change: fc.constant((kit: ReceiverKit, { event, value }: Notification) => ({
      event,
      value: withTime(value, inPlainForm(kit, time)),
    })),
    notification: draw.notification(),
  });
}

/** Whole seconds with the fraction that plain creation times have: some receivers take no others. */
function inPlainForm({ contract, control }: ReceiverKit, time: string): string {
  const plain = valueAt(control.value, placeOf(contract, 'createdAt'));
  const [, fraction = ''] = (typeof plain === 'string' && /(\.\d+)Z$/.exec(plain)) || [];
  return time.replace(/(:\d\d)Z$/, `$1${fraction}Z`);
}

/** The same with the creation time of the plain notification in the place of every time. */
function withPlainTimes(kit: ReceiverKit, notification: Notification): Notification {
  const time = valueAt(kit.plain(notification).value, placeOf(kit.contract, 'createdAt'));
  return { ...notification, value: typeof time === 'string' ? withTime(notification.value, time) : notification.value };
}

/** A copy of the value with this time in the place of every time. */
function withTime(value: Json, time: string): Json {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) ? time : value;
  if (Array.isArray(value)) return value.map((item: Json) => withTime(item, time));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTime(member, time)]));
}

/** The digits of the creation time's fraction. */
function withDigits(draw: Draw, count: number): fc.Arbitrary<TimestampCase> {
  const digit = fc.constantFrom(...Array.from('0123456789'));
  const difference =
    count === 0
      ? 'the creation time is in whole seconds'
      : `the creation time has a fraction of ${counted(count, 'digit')}`;
  return fc.record({
    difference: fc.constant(difference),
    change: fc
      .string({ unit: digit, minLength: count, maxLength: count })
      .map((fraction) => (kit: ReceiverKit, notification: Notification) => withFraction(kit, notification, fraction)),
    notification: draw.notification(),
  });
}

function withFraction({ contract }: ReceiverKit, notification: Notification, fraction: string): Notification {
  const createdAt = placeOf(contract, 'createdAt');
  const time = valueAt(notification.value, createdAt);
  if (typeof time !== 'string') return notification;
  const shown = time.replace(/(\.\d+)?Z$/, fraction === '' ? 'Z' : `.${fraction}Z`);
  return { event: notification.event, value: withPointer(notification.value, createdAt, shown) };
}
