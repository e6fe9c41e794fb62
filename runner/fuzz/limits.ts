/** Milliseconds for one thing each. A death costs a start of the target at each try, and so has more time to be shrunk. */
export const times = {
  shrinking: 30_000,
  shrinkingDeath: 60_000,
  lastShrinking: 20_000,
  lastLook: 3000,
  firstOnes: 1000,
  shortBatch: 4000,
  longBatch: 9000,
  figures: 1000,
  saving: 10_000,
} as const;

/** No batch begins in this last share of the time of a search, so that a failure can still be shrunk. */
export const shrinkingShare = 0.1;

/** Milliseconds that a timer takes at most. */
export const longestTimer = 2 ** 31 - 1;

/** How much longer than with the others the search is busy with sequences that hold the target's process. */
export const aloneShare = 2;

/** Sequences of a batch. */
export const sizes = { most: 512, afterDeath: 16, alone: 3, singly: 64 } as const;
