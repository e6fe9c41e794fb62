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

/** Milliseconds by which a timestamp may have been cut off: those of the last digit that it writes. */
export function resolution(value: string): number {
  const digits = written.exec(value)?.groups?.['fraction']?.length ?? 0;
  return digits === 0 ? 1000 : Math.max(1, 10 ** (4 - digits));
}

/** Whether two timestamps are of the same moment, however they are spelled; of what is none, whether it is the same text. */
export function sameTime(one: unknown, other: unknown): boolean {
  const time = utcTime(one);
  return time === undefined ? one === other : time === utcTime(other);
}
