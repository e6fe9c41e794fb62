import { once } from 'node:events';
import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';

import { UsageError } from '../errors.ts';
import { failureCode } from './connector.ts';
import { ownWant } from './ownWant.ts';

/** Where a server of the kit listens. */
export interface ListenOptions {
  /** A name or an address of this machine. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
}

/**
 * Lets a server listen.
 *
 * @returns its origin: `http://127.0.0.1:4010`
 * @throws UsageError (`SW_LISTEN_FAILED`) where the address is taken, not this machine's, or not allowed
 */
export async function listen(server: Server, { host, port }: ListenOptions): Promise<string> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    throw listenFailed({ host, port }, cause);
  }
  const { port: actual } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${actual}`;
}

/** What a command ends with where it cannot listen. @param options - those that say where it listens */
export function listenFailed({ host, port }: ListenOptions, cause: unknown, options = '--port or --host'): UsageError {
  return new UsageError(
    'SW_LISTEN_FAILED',
    {
      received: `${host} port ${port} cannot be listened on (${failureCode(cause)})`,
      valid: 'a free port of an address of this machine; port 0 takes any free one',
      next: ownWant(failureCode(cause)) ?? `choose another with ${options}, or end what listens there`,
    },
    { cause },
  );
}

/** Stops listening, and closes every connection. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** The most bytes of a body that a server of the kit keeps in memory. */
export const bodyLimit = 16 * 1024 * 1024;

/** The whole body of a request; nothing is read beyond the limit. Never rejects. */
export async function boundedBody(
  request: IncomingMessage,
  limit = bodyLimit,
): Promise<Buffer | 'too long' | 'broken'> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) return 'too long';
      chunks.push(chunk);
    }
  } catch {
    return 'broken';
  }
  return Buffer.concat(chunks);
}

/** What a server of the kit says where it cannot go on: problem details (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly title: string;
  /** What was received, what is valid, what to do. */
  readonly detail: string;
}

/** Answers with a problem. The connection is closed after it, for what is left of the request is not read. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  response.writeHead(problem.status, { 'content-type': 'application/problem+json', connection: 'close' });
  response.end(`${JSON.stringify(problem)}\n`);
}
