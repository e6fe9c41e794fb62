import type { Socket } from 'node:net';

import type { Caught } from '../../suites/exchange.ts';

/** A {@link Caught} while the catcher still adds to it. */
export type GrowingCaught = { -readonly [Member in keyof Caught]: Caught[Member] };

/** What is known of a request once its head is there, at `at` milliseconds of the run. */
export function newCaught(
  endpoint: string,
  { method, path, headers }: Pick<Caught, 'method' | 'path' | 'headers'>,
  socket: Socket,
  at: number,
): GrowingCaught {
  return {
    kind: 'caught',
    endpoint,
    method,
    path,
    headers,
    body: Buffer.alloc(0),
    bytes: -1,
    peer: (socket.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/i, ''),
    at,
    key: '',
    number: 0,
    step: { do: 'hang' },
    end: undefined,
  };
}
