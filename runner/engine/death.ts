/*
 * What it means that a target ended by itself, or stopped taking connections.
 *
 * Where the kit brings it up again, a death counts like an absence: it must recur when the case is tried again alone. It
 * comes a moment after what caused it, so that it may be the doing of the case before, or of the machine. Where the kit
 * cannot bring it up again, nothing can be tried again: what it died of is settled at once, and the run is over.
 */
import type { RunEnd } from './runEvents.ts';

/** Milliseconds after a case in which a death may still be its doing. */
export const aftermath = 300;

/** The same where the target died of that case before, or seemed to: where it is slow, it dies slowly. */
export const longAftermath = 1000;

/** The same after a sequence of a search: its last steps may still be worked off. */
export const sequenceAftermath = 600;

/** The end of a run whose target stopped taking connections. @param subject - `receiver` or `service` */
export function targetGone(subject: string, when: string): RunEnd {
  return {
    reason: `the ${subject} stopped taking connections ${when}`,
    advice: `Restart the ${subject}, look at its log for the moment at which it ended, and run again.`,
  };
}
