/** What usually loses a notification that was accepted while many others waited. */
export const longQueueHint =
  'The queue between the answer and the work has a bound, and drops what does not fit (often the oldest, without a ' +
  'word). Keep what you have acknowledged in a store that does not, or refuse with 503 where the queue is full.';
