import type { AddressInfo } from 'node:net';

import type { FastifyInstance, FastifyServerOptions } from 'fastify';

/** Options of an app whose routes have no schemas: what would compile these is a fifth of its start, and is left unloaded. */
export const schemaless = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
} satisfies FastifyServerOptions;

function refuse(): never {
  throw new TypeError('A route has a schema, and this app compiles none.');
}

/** Milliseconds that calls and deliveries in flight get to end when an app closes. */
export const closingTime = 250;

/** Stops listening at once; what is still in flight afterwards is cut off. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), closingTime);
  await app.close();
  clearTimeout(cut);
}

/** Where an app listens: `http://127.0.0.1:4711`. */
export function originOf(app: FastifyInstance): string {
  const { address, family, port } = app.server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
