import { setTimeout as sleep } from 'node:timers/promises';

import { Unproven } from '../../suites/check.ts';
import type { Answer } from '../../suites/delivery.ts';

/** What this machine lacks where a connection fails with one of these codes: that says nothing about the target. */
const wants: Readonly<Record<string, string>> = {
  EMFILE: 'this process may open no more files and connections: raise the limit with ulimit -n',
  ENFILE: 'this machine has no more files and connections: close other programs',
  EADDRNOTAVAIL: 'this machine has no local port left for another connection: give a lower --rate or --concurrency',
  ENOBUFS: 'this machine has no memory left for another connection: give a lower --concurrency',
  ENOMEM: 'this machine has no memory left for another connection: give a lower --concurrency',
};

/** Milliseconds between two tries: what is wanting is given back when other connections end. */
const pause = 50;

/** Whether it is this machine that has no connection to give, whatever the target does. */
export function isOwnWant(code: string): boolean {
  return Object.hasOwn(wants, code);
}

/** What to do where it is this machine that has no connection to give, in words; nothing where it is something else. */
export function ownWant(code: string): string | undefined {
  return isOwnWant(code) ? wants[code] : undefined;
}

/**
 * Tries again as long as it is this machine that has no connection to give.
 *
 * @param codeOf - the code of what the try threw
 * @param timeout - milliseconds after which what it throws counts
 */
export async function patiently<T>(
  attempt: () => Promise<T>,
  codeOf: (error: unknown) => string,
  { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const until = performance.now() + timeout;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isOwnWant(codeOf(error)) || performance.now() > until || signal?.aborted) throw error;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Nothing is concluded from a connection that this machine did not make. @throws Unproven */
export function refuseOwnWant(answer: Answer): void {
  if (answer.kind === 'broken' && isOwnWant(answer.code))
    throw new Unproven(`no connection was made, and not because of the target: ${wants[answer.code]} (${answer.code})`);
}
