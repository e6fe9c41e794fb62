import type { Call } from '../exchange.ts';
import { counted } from '../items.ts';
import type { ServiceKit } from '../serviceKit.ts';
import { headerValue } from '../../spec/headerText.ts';

/** A date and a time of ISO 8601 in UTC, extended format, with any fraction of a second. */
const written = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(?<fraction>[.,]\d+)?)?(Z|[+-]00(:?00)?)$/i;

/**
 * Reads an ISO 8601 timestamp in UTC.
 *
 * @returns milliseconds since the epoch; nothing where it is none
 */
export function utcTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !written.test(value)) return undefined;
  const [date, time = ''] = value.toUpperCase().split('T');
  const clock = time.replace(/(Z|[+-]00(:?00)?)$/, '').replace(',', '.');
  const [seconds = '', fraction = ''] = clock.split('.');
  const ms = Date.parse(
    `${date}T${seconds}${seconds.length === 5 ? ':00' : ''}.${fraction.slice(0, 3).padEnd(3, '0')}Z`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}

/** Milliseconds by which a timestamp may have been cut off: those of the last digit that it writes, a day at midnight. */
export function resolution(value: string): number {
  if ((utcTime(value) ?? 1) % day === 0) return day;
  const digits = written.exec(value)?.groups?.['fraction']?.length ?? 0;
  return digits === 0 ? 1000 : Math.max(1, 10 ** (4 - digits));
}

/** Whether two timestamps are of the same moment, however they are spelled; of what is none, whether it is the same text. */
export function sameTime(one: unknown, other: unknown): boolean {
  const time = utcTime(one);
  return time === undefined ? one === other : time === utcTime(other);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Zones lie a multiple of a quarter of an hour from UTC, between half an hour and 14 hours. */
const [quarter, nearest, farthest] = [15 * minute, 30 * minute, 14 * hour];
/**
 * Milliseconds by which two moments of one case may differ that are not of one call. No longer: a time that is hours old for
 * another reason, such as one of a fixture, lies near a quarter of an hour by chance.
 */
const apart = minute / 2;

/**
 * A time that says UTC and is that of another zone, or one of another day at the same hour, as months give that are counted
 * from 0, or one of 1970, as seconds give that are read as milliseconds. It lies that far from the time that the same service put into the header
 * Date of an answer (RFC 9110, section 6.6.1: always in UTC) at about the same moment, or, where it sends none and runs on
 * the machine of the kit, from that of their clock. Other differences are of clocks, and say nothing.
 *
 * @returns in words how far it is from that; nothing where it may be right, or where nothing shows
 */
export function misreadTime(kit: Clock, value: unknown, near: Call): string | undefined {
  const header = dateOf(near);
  const [time, date] = [utcTime(value), header === '' ? ownTime(kit, near) : Date.parse(header)];
  if (time === undefined || Number.isNaN(date)) return undefined;
  const difference = time - date;
  if (time % day === 0 && -difference > apart && -difference < day) return 'the beginning of the day';
  const [step, unit, name] = Math.abs(difference) > farthest + apart ? [day, day, 'day'] : [quarter, hour, 'hour'];
  const shift = Math.round(difference / step) * step;
  const isShifted = Math.abs(difference - shift) <= apart && Math.abs(shift) >= nearest;
  if (!isShifted && Math.abs(time * 1000 - date) > apart) return undefined;
  const how = `${counted(Math.abs(shift) / unit, name)} ${difference < 0 ? 'before' : 'after'}`;
  return header === ''
    ? `${how} the creation of the webhook by the clock of this machine (${new Date(date).toISOString()})`
    : `${how} the Date of the answer to the creation of the webhook (${header})`;
}

type Clock = Pick<ServiceKit, 'base' | 'now' | 'elapsed'>;

/** When the kit sent a call, in milliseconds since 1970, by the clock that both sides share; NaN where they share none. */
function ownTime(kit: Clock, { at }: Call): number {
  const { hostname } = new URL(kit.base);
  const isShared = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return isShared ? kit.now() - kit.elapsed() + at : Number.NaN;
}

function dateOf({ answer }: Call): string {
  if (answer.kind !== 'answered') return '';
  return headerValue(answer.headers, 'Date') ?? '';
}
