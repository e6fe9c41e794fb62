/** Milliseconds for one thing each. A death costs a start of the target at each try, and so has more time to be shrunk. */
export const times = {
  shrinking: 30_000,
  shrinkingDeath: 60_000,
  lastShrinking: 20_000,
  lastLook: { least: 2000, most: 5000 },
  firstOnes: 1000,
  shortBatch: 4000,
  longBatch: 9000,
  figures: 1000,
  saving: 10_000,
} as const;

/**
 * Shares of the time of a search. `shrinking`: no batch begins in the last of it, so that a failure can still be shrunk.
 * `lastLook`: how long the target is looked at before the end, where it did not answer.
 */
export const shares = { shrinking: 0.1, lastLook: 0.05 } as const;

/** Milliseconds that a timer takes at most. */
export const longestTimer = 2 ** 31 - 1;

/** How much longer than with the others the search is busy with sequences that hold the target's process. */
export const aloneShare = 2;

/** Sequences of a batch. */
export const sizes = { most: 512, afterDeath: 16, alone: 3, singly: 64 } as const;
