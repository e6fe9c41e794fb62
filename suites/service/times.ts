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

/** Milliseconds as a duration with two significant digits, as assumptions write it: `20ms`, `1.5s`, `10s`, `2m`. */
export function inDuration(ms: number): string {
  const rounded = Number(Math.max(1, ms).toPrecision(2));
  if (rounded < 1000) return `${Math.round(rounded)}ms`;
  return rounded < 120_000 ? `${Number((rounded / 1000).toFixed(1))}s` : `${Number((rounded / 60_000).toFixed(1))}m`;
}

/** What people set durations to, before their unit is known. */
const usual = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 8, 9, 10];

/** The duration that was probably set where somewhat less was measured, because the clock was started late. */
export function usualDuration(ms: number): string {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(1, ms)));
  return inDuration(magnitude * (usual.find((each) => each * magnitude >= ms * 0.99) ?? 10));
}
