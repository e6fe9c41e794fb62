const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Thrown by `parseDuration`; the message says what was received and what is valid. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
  readonly code = 'duration/invalid';
}

/**
 * Reads a duration.
 *
 * @param text - a number with a unit (`250ms`, `10s`, `1.5m`, `1h`); without a unit it counts milliseconds
 * @returns milliseconds, rounded to a whole number
 * @throws DurationError for anything else
 * @example parseDuration('10s') // 10000
 */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,12}(?:\.\d{1,6})?)\s?(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (amount === undefined) {
    throw new DurationError(
      `"${text}" is no duration. Valid is a number with ms, s, m or h behind it (250ms, 10s, 2m, 1h), or a number alone for milliseconds.`,
    );
  }
  return Math.round(Number(amount) * (units[unit ?? 'ms'] ?? 1));
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
