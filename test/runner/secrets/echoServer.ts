import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { echoes } from './marks.ts';
import { closeServer } from '../../../runner/http/listen.ts';

/** A target that takes everything, and repeats what it knows. */
export interface EchoServer {
  readonly port: number;
  /** What it knows from now on. */
  know(marks: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Starts a server that says each secret that it knows in each spelling in what it answers: in the body, in a header and in
 * the reason. Below `/refused` it refuses, below `/effects` it says that each delivery took effect.
 *
 * @param onRequest - called for each request
 */
export async function startEchoServer(onRequest: () => void): Promise<EchoServer> {
  let spelled: readonly string[] = [''];
  let answered = 0;
  let received = '';
  const server = createServer((request, response) => {
    onRequest();
    answered += 1;
    const one = spelled[answered % spelled.length]!;
    const { url = '' } = request;
    response.statusCode = url.startsWith('/refused') ? 400 : 200;
    response.statusMessage = encodeURIComponent(one);
    response.setHeader('x-you-said', one);
    const [, probed] = /^\/effects\/(.*)$/.exec(url) ?? [];
    request.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    request.on('end', () => {
      const effects = probed === undefined ? {} : { count: Number(received.includes(probed)) };
      response.end(JSON.stringify({ ...effects, first: one, all: spelled }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    know: (marks) => (spelled = ['', ...Object.values(echoes).flatMap((echo) => marks.map(echo))]),
    async close() {
      await closeServer(server);
    },
  };
}
