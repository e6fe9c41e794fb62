import type { Call } from '../exchange.ts';
import { utcTime } from './utcTime.ts';

const minute = 60_000;
/** Zones lie a multiple of a quarter of an hour from UTC, between half an hour and 14 hours. */
const [quarter, nearest, farthest] = [15 * minute, 30 * minute, 14 * 60 * minute];
/**
 * Milliseconds by which two moments of one case may differ that are not of one call. No longer: a time that is hours old for
 * another reason, such as one of a fixture, lies near a quarter of an hour by chance.
 */
const apart = minute / 2;

/**
 * A time that says UTC and is that of another zone: it lies hours from the time that the same service put into the header
 * Date of an answer (RFC 9110, section 6.6.1: always in UTC) at about the same moment. Other differences are of clocks, and
 * say nothing.
 *
 * @returns in words how far it is from that; nothing where it may be right, or where the answer has no such header
 */
export function otherZone(value: unknown, near: Call): string | undefined {
  const header = dateOf(near);
  const [time, date] = [utcTime(value), Date.parse(header)];
  if (time === undefined || Number.isNaN(date)) return undefined;
  const difference = time - date;
  const zone = Math.round(difference / quarter) * quarter;
  const distance = Math.abs(zone);
  if (Math.abs(difference - zone) > apart || distance < nearest || distance > farthest) return undefined;
  const hours = distance / (60 * minute);
  const how = `${hours} hour${hours === 1 ? '' : 's'} ${zone < 0 ? 'before' : 'after'}`;
  return `${how} the Date of the answer to the creation of the webhook (${header})`;
}

function dateOf({ answer }: Call): string {
  if (answer.kind !== 'answered') return '';
  return answer.headers.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '';
}
