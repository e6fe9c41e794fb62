/** The least, the middle and the greatest of some measurements. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** @param values - at least one */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return {
    min: sorted[0]!,
    median: (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2,
    max: sorted.at(-1)!,
  };
}
