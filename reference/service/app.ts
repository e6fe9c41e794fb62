import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

import { readBody } from '../receiver/body.ts';
import { schemaless } from '../receiver/schemaless.ts';
import { refuseUnknown, replyTo, send } from './answering.ts';
import type { World } from './call.ts';
import { emit } from './emit.ts';
import { hearCalls, type HeardCall } from './heardCall.ts';
import { addOperations } from './operationRoutes.ts';
import { refusal } from './refusal.ts';
import { isLoopback } from './webhookUrl.ts';

const seconds = 1000;

/** The HTTP face of the service: a route for each operation of the contract, and `/emit` beside them. */
export function createApp(world: World, token: string, onCall?: (call: HeardCall) => void): FastifyInstance {
  const app = Fastify({
    ...schemaless,
    forceCloseConnections: 'idle',
    requestTimeout: 60 * seconds,
    routerOptions: { maxParamLength: 1024 },
  });
  const { base, bodyLimit } = world.policies;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest) => readBody(request.raw, bodyLimit));
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => send(reply, replyTo(error)));
  app.setNotFoundHandler(refuseUnknown);
  app.register(
    async (api) => {
      if (onCall !== undefined) hearCalls(api, onCall);
      addOperations(api, world, token);
    },
    { prefix: base },
  );
  addEmit(app, world);
  return app;
}

function addEmit(app: FastifyInstance, world: World): void {
  app.post('/emit', {
    onRequest: async ({ ip, headers }) => {
      if (!isLoopback(ip)) throw refusal(403, 'loopback', `/emit takes calls from this machine alone, not from ${ip}.`);
      if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/json') return;
      throw refusal(415, 'media-type', '/emit takes application/json, as in {"event": "container.created"}.');
    },
    handler: async ({ body }, reply) => send(reply, await emit((body as Buffer | undefined) ?? Buffer.alloc(0), world)),
  });
}
