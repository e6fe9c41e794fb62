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

const bytesIn: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1000,
  MB: 1_000_000,
  KiB: 1024,
  MiB: 1_048_576,
};

/** Thrown by `parseSize`; the message says what was received and what is valid. */
export class SizeError extends Error {
  override readonly name = 'SizeError';
  readonly code = 'size/invalid';
}

/**
 * Reads a size.
 *
 * @param text - a number with a unit (`100kB`, `64KiB`, `1MiB`); without a unit it counts bytes
 * @returns whole bytes
 * @throws SizeError for anything else
 * @example parseSize('64KiB') // 65536
 */
export function parseSize(text: string): number {
  const [, amount, unit] = /^(\d{1,12}(?:\.\d{1,3})?)\s?(B|kB|MB|KiB|MiB)?$/.exec(text.trim()) ?? [];
  if (amount === undefined) {
    throw new SizeError(
      `"${text}" is no size. Valid is a number with B, kB, MB, KiB or MiB behind it (64KiB, 1MiB), or a number alone for bytes.`,
    );
  }
  return Math.round(Number(amount) * (bytesIn[unit ?? 'B'] ?? 1));
}

/**
 * A size in words, in the largest unit that leaves a whole number.
 *
 * @example sizeText(65536) // '64 KiB'
 */
export function sizeText(bytes: number): string {
  const [unit = 'B', factor = 1] =
    Object.entries(bytesIn)
      .toSorted(([, one], [, other]) => other - one)
      .find(([, size]) => bytes >= size && bytes % size === 0) ?? [];
  return `${bytes / factor} ${unit}`;
}
