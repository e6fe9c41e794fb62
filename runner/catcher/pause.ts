import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets time pass. Nothing or less is no pause at all.
 *
 * @returns false where the signal ended it
 */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}
