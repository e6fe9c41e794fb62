/** What usually loses a notification that was accepted while many others waited. */
export const longQueueHint =
  'What came while others were at work was dropped. Either the queue between the answer and the work has a bound, and drops what ' +
  'does not fit (often the oldest, without a word), or storing it failed (a database that is locked, a pool with nothing left), ' +
  'and the error was passed over, or two of them were stored in one place (a file that is named by the time), or one was read ' +
  'before all of it was written. Answer only when it is stored, and with 503 where it cannot be.';
