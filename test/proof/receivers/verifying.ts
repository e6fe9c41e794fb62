import { createServer } from 'node:http';

import type { StartedReceiver } from './start.ts';
import { closeServer, listen } from '../../../runner/http/listen.ts';

/** Verifies a delivery as a library does it: false, or an error, where it refuses it. */
export type Verify = (body: string, headers: Readonly<Record<string, string>>) => unknown;

/** A receiver of a few lines around the library that verifies its deliveries, as the README of such a library shows it. */
export async function startVerifying(verify: Verify): Promise<StartedReceiver> {
  const effects = new Set<string>();
  const server = createServer(async (request, response) => {
    const counted = /^\/count\/([\w-]+)$/.exec(request.url ?? '')?.[1];
    if (counted !== undefined) return response.end(JSON.stringify({ count: effects.has(counted) ? 1 : 0 }));
    const chunks = await request.toArray();
    const body = Buffer.concat(chunks as Buffer[]).toString();
    if (!(await isGenuine(verify, body, request.headersDistinct))) return response.writeHead(400).end();
    effects.add((JSON.parse(body) as { readonly data: { readonly id: string } }).data.id);
    return response.writeHead(204).end();
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `${origin}/hooks`,
    probe: `${origin}/count/{id}`,
    close: () => closeServer(server),
  };
}

async function isGenuine(verify: Verify, body: string, headers: NodeJS.Dict<string[]>): Promise<boolean> {
  const single = Object.entries(headers).map(([name, values = []]) => [name, values.join(', ')]);
  try {
    return (await verify(body, Object.fromEntries(single) as Record<string, string>)) !== false;
  } catch {
    return false;
  }
}
