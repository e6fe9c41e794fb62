/*
 * What it means that a target ended by itself, or stopped taking connections.
 *
 * A death comes a moment after what caused it, so that every case that was at work then is suspected. Where the target
 * comes up again, each is tried alone: it was what the target died of where the target dies of it once more. Where nothing
 * starts it again, the run is over: of cases that ran one at a time the last one is what it died of, of others none is known.
 *
 * A death takes with it what the target had not written down. A case that was under way or waited for effects shows nothing
 * until it is tried again.
 */
import { amount, duration } from '../../reports/text/amount.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { RunEnd } from './eventStream.ts';

/** Milliseconds after a case in which a death may still be its doing. */
export const aftermath = 300;

/**
 * The same after all that is hostile or to be refused was tried once: work after an answer (a call, a timer, a promise that
 * nobody waits for) may end the target seconds later. It is waited once for all of these cases, at any intensity, while what
 * comes next goes on: a death meanwhile is theirs where no case that was at work then brings it about alone.
 */
export const lingering = { quick: 1500, standard: 2000, thorough: 5000 } as const;

/** The same after a replayed case that did not fail: where the target is slow, it dies slowly. */
export const longAftermath = 1000;

/** The same after a sequence of a search: its last steps may still be worked off. */
export const sequenceAftermath = 600;

/** The end of a run whose target stopped taking connections. @param subject - `receiver` or `service` */
export function targetGone(subject: string): RunEnd {
  return {
    reason: `the ${subject} stopped taking connections before the run had ended`,
    advice: `Look at what the ${subject} wrote last, start it again, and run this again.`,
  };
}

/** What is known of the time before a target began to hang, in words. */
export interface LastAnswers {
  /** The last requests that were answered, the newest last. */
  readonly answered: readonly string[];
  /** The first that was not. */
  readonly first: string;
}

/**
 * The end of a run whose target takes requests, and answers none. It has not ended: what it said before stands.
 *
 * @param seen - milliseconds: `timeout` of one request, and how long plain ones were tried (`waited`)
 */
export function targetHangs(
  subject: string,
  { answered, first, timeout, waited }: LastAnswers & { readonly timeout: number; readonly waited: number },
): RunEnd {
  const before = answered.length === 0 ? '' : ` The last that were answered: ${answered.join('; ')}.`;
  return {
    cause: 'hang',
    reason: `the ${subject} hangs: it takes requests, and answers none`,
    advice: `Several in a row got no answer within ${duration(timeout)} each, and neither did plain ones that were sent alone for ${duration(waited)} more. The first without an answer: ${first}.${before}
See what the ${subject} waits for after these requests (a lock, a pool of connections, a queue that is full, an endless loop), restart it, and run again.`,
  };
}

/** What is known of a target that accepts nothing from some moment on. */
interface Refusals {
  /** How plain requests ended at last, how many were sent alone, and for how many milliseconds. */
  readonly answer: Answer;
  readonly asked: number;
  readonly waited: number;
  /** Requests in a row that were refused or failed before, and the first of them, in words. */
  readonly times: number;
  readonly first: string;
}

/** What shows that it serves nobody, in words that stand for themselves. */
export function refusalsText({ answer, asked, waited, times, first }: Refusals): string {
  const row = `${times} requests in a row, the first ${first}`;
  const what =
    answer.kind === 'answered'
      ? `it answers plain requests with ${answer.status}`
      : 'it takes plain requests, and closes their connections without a whole answer';
  return `${what}: ${row}, then ${asked} sent alone for ${duration(waited)} more`;
}

/**
 * The end of a run whose target answers everybody with a 5xx for ever, after it had accepted plain requests.
 *
 * @param before - requests that it had refused before, and the last of them in words
 */
export function targetServesNobody(
  subject: string,
  refusals: Refusals,
  { refused, last }: { readonly refused: number; readonly last: string },
): RunEnd & { readonly how: string } {
  const how = refusalsText(refusals);
  const before =
    refused === 0 ? '' : `. ${amount(refused, 'request')} had been refused before, the last of them ${last}`;
  return {
    cause: 'hang',
    how: `${how}${before}`,
    reason: `the ${subject} serves nobody any more: ${how}`,
    advice: `It had accepted plain requests before${before}. See what a request leaves behind in it: a place in a pool, a permit or bytes of a budget that it does not give back where it refuses one or knows it already, a store that has become full, or state that a body has changed. Restart it, and run again.`,
  };
}

/** The end of a run whose target accepts nothing since the kit last interrupted it. What that breaks is said where it ended. */
export function targetNotRevived(subject: string, refusals: Refusals): RunEnd {
  return {
    cause: 'hang',
    reason: `the ${subject} has served nobody since it last started or went on: ${refusalsText(refusals)}`,
    advice: `It had accepted plain requests before that. See what an end leaves behind that it cannot go on from, such as a half-written record, a lock or a lost connection: start the ${subject} by hand in the state in which it is now, and look at what it writes.`,
  };
}

/**
 * The end of a run whose target refuses everything for ever, or closes each connection, after it had accepted plain requests:
 * that may be its right.
 */
export function targetTurnsAway(subject: string, refusals: Refusals): RunEnd {
  return {
    cause: 'hang',
    reason: `the ${subject} turns the kit away: ${refusalsText(refusals)}`,
    advice: `It had accepted plain requests before. It, or what stands before it, may ban an address after forged or broken requests, or limit their number (a firewall, a proxy, a limiter). Let the address of the kit be an exception, restart the ${subject}, and run again. If nothing of the kind is there, see what the first of these requests leaves behind, such as a lock that an error has left locked or poisoned.`,
  };
}
