import type { Access } from './access.ts';
import { createAgent } from './createPool.ts';
import { openAddress } from './openAddress.ts';

/** What is posted. */
interface Posted {
  /** JSON. Default: an empty body. */
  readonly body?: string;
  /** Milliseconds until the end of the answer. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/**
 * Posts to an address that the user named, over a connection of its own, with the user and the password in it as Basic
 * authorization. A redirect is an answer like any other.
 *
 * @returns the status of the answer
 * @throws what the connection fails with
 */
export async function postTo(url: string, { body, timeout, signal }: Posted, access: Access): Promise<number> {
  const { address, authorization } = openAddress(url);
  const { origin, pathname, search } = new URL(address);
  const agent = createAgent(access, timeout);
  try {
    const answer = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method: 'POST',
      headers: [...(authorization ?? []), ...(body === undefined ? [] : ['Content-Type', 'application/json'])],
      body: body ?? null,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    });
    await answer.body.dump();
    return answer.statusCode;
  } finally {
    await agent.destroy();
  }
}
