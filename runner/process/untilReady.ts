import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer } from '../../suites/delivery.ts';
import type { Deadline } from '../engine/timeLimit.ts';
import { isFailure } from '../http/retryAfter.ts';

/**
 * Milliseconds in which what a target needs may come up behind that which takes its connections: a proxy, or a server
 * whose database is not there yet. It is never more than this part of the time that is left.
 */
const patience = { ms: 30_000, share: 0.2 } as const;

/** Milliseconds between two requests. */
const pause = 200;

/** What has to be known of a target that was started. */
interface Started {
  /** Whether it still runs. */
  readonly running: boolean;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** When the run has to be at its end. */
  readonly deadline: Deadline;
}

/** Whether a target that has just been started may only not be ready yet: it says that it fails, or breaks a connection off. */
export function mayBeStarting(answer: Answer): boolean {
  return answer.kind === 'broken' || isFailure(answer);
}

/**
 * Asks a target that was started, and takes connections, until it answers as one that is ready.
 *
 * @param ask - sends a plain request
 * @returns false where it never did
 */
export async function untilReady(ask: () => Promise<Answer>, target: Started): Promise<boolean> {
  const until = performance.now() + Math.min(patience.ms, target.deadline.part(patience.share).left);
  while (target.running && !target.signal.aborted) {
    if (!mayBeStarting(await ask())) return true;
    if (performance.now() >= until) return false;
    await sleep(pause, undefined, { signal: target.signal }).catch(() => undefined);
  }
  return false;
}
