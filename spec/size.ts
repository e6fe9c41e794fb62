const units: Readonly<Record<string, number>> = {
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
  return Math.round(Number(amount) * (units[unit ?? 'B'] ?? 1));
}

/**
 * A size in words, in the largest unit that leaves a whole number.
 *
 * @example sizeText(65536) // '64 KiB'
 */
export function sizeText(bytes: number): string {
  const [unit = 'B', factor = 1] =
    Object.entries(units)
      .toSorted(([, one], [, other]) => other - one)
      .find(([, size]) => bytes >= size && bytes % size === 0) ?? [];
  return `${bytes / factor} ${unit}`;
}
