import type { FastifyServerOptions } from 'fastify';

/** Options of an app whose routes have no schemas: what would compile these is a fifth of its start, and is left unloaded. */
export const schemaless = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
} satisfies FastifyServerOptions;

function refuse(): never {
  throw new TypeError('A route has a schema, and this app compiles none.');
}
