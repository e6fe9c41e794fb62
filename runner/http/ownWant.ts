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

/**
 * How an address is added to this machine's loopback interface; nothing where the system has no usual command for it.
 *
 * @example addAddress('127.0.0.5') // 'sudo ip addr add 127.0.0.5/32 dev lo'
 */
export function addAddress(address: string): string | undefined {
  const { platform } = process;
  const bits = address.includes(':') ? 128 : 32;
  if (platform === 'linux') return `sudo ip addr add ${address}/${bits} dev lo`;
  if (platform === 'darwin' || platform === 'freebsd')
    return `sudo ifconfig lo0 ${bits === 128 ? 'inet6 ' : ''}alias ${address}`;
  return undefined;
}

/** Codes of a connection that cannot come from the address that it should come from. */
const unsendable: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'EINVAL']);

/** Whether an answer is none because this machine cannot send from the address that was asked for. */
export function isUnsendable(answer: Answer): answer is Extract<Answer, { readonly kind: 'broken' }> {
  return answer.kind === 'broken' && unsendable.has(answer.code);
}

/** Says so, and what to do about it. */
export function unsendableFrom(address: string, code: string): string {
  const how = ['add it', addAddress(address)].filter((words) => words !== undefined).join(': ');
  return `this machine cannot send to the receiver from ${address} (${code}); where it lacks that address, ${how}`;
}
