import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import type { StartedReceiver } from './start.ts';
import { listen } from '../../../runner/http/listen.ts';

/** What happens to anyone who is not among the published senders. */
export type Guard = 'closes the connection' | 'says nothing';

/** Nothing but `node:http`. */
export async function start(options: {
  readonly secrets: readonly string[];
  readonly published: readonly string[];
  readonly guard: Guard;
}): Promise<StartedReceiver> {
  const isForeign = ({ remoteAddress = '' }: Socket): boolean => !options.published.includes(remoteAddress);
  const effects = new Set<string>();
  const server = createServer(async (request, response) => {
    const counted = /^\/effects\/(.+)$/.exec(request.url ?? '')?.[1];
    if (counted !== undefined) return response.end(JSON.stringify({ count: effects.has(counted) ? 1 : 0 }));
    if (isForeign(request.socket)) return undefined;
    const body = await text(request);
    const signed = options.secrets.some(
      (secret) =>
        createHmac('sha256', secret).update(body).digest('hex') === request.headers['x-svc-webhook-signature'],
    );
    if (!signed) return response.writeHead(401).end();
    effects.add((JSON.parse(body) as { data: { id: string } }).data.id);
    return response.writeHead(204).end();
  });
  server.on('connection', (socket) => {
    if (options.guard === 'closes the connection' && isForeign(socket)) socket.destroy();
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `${origin}/hooks`,
    probe: `${origin}/effects/{id}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
