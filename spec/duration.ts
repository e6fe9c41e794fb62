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
