import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';

import type { ReceiverPolicies } from './policies.ts';
import { schemaless } from '../schemaless.ts';
import type { ServiceLink } from './serviceLink.ts';
import type { NotificationStore } from './store.ts';
import type { ArrivedDelivery, Reply } from './records.ts';
import { isGenuine } from './verify.ts';

export interface AppParts {
  readonly path: string;
  /** Name of the signature header. */
  readonly header: string;
  readonly secrets: readonly string[];
  /** Milliseconds by which the timestamp of a signature may differ from the clock; nothing where signatures carry none. */
  readonly tolerance: number | undefined;
  readonly policies: ReceiverPolicies;
  readonly store: NotificationStore;
  readonly link: Pick<ServiceLink, 'published' | 'recover'>;
}

/** The HTTP face of the receiver: one route that takes deliveries, one that counts effects. */
export function createApp(parts: AppParts): FastifyInstance {
  const app = Fastify({ ...schemaless, forceCloseConnections: 'idle', routerOptions: { maxParamLength: 1024 } });
  parts.policies.tune(app.server);
  takeRawBodies(app, parts.policies);
  hideErrors(app);
  addDeliveryRoute(app, parts);
  app.get<{ Params: { id: string } }>('/effects/:id', async ({ params }) => ({
    count: parts.store.effects(params.id),
  }));
  const { recover } = parts.link;
  if (recover !== undefined) {
    app.post('/recover', async (_request, reply) => {
      await recover();
      return send(reply, { status: 204 });
    });
  }
  return app;
}

/** The signature covers bytes, so that no body may be parsed before it was verified; nor does its media type decide. */
function takeRawBodies(app: FastifyInstance, policies: ReceiverPolicies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest) => policies.collect(request.raw));
}

function hideErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error & { statusCode?: number }>(({ statusCode = 500 }, _request, reply) =>
    send(reply, { status: statusCode, body: statusCode < 500 ? 'refused' : 'failed' }),
  );
}

function addDeliveryRoute(app: FastifyInstance, parts: AppParts): void {
  const { path, policies } = parts;
  app.post(path, {
    onRequest: async ({ raw }, reply) => {
      const refusal = refusedSource(raw, parts) ?? (await policies.admit(raw));
      if (refusal !== undefined) return send(reply, refusal);
    },
    handler: async ({ raw, body }, reply) => {
      const signature = policies.findSignature(raw, parts.header);
      const delivery = {
        head: raw,
        body: (body as Buffer | undefined) ?? Buffer.alloc(0),
        signature,
        secrets: parts.secrets,
        published: parts.link.published,
      };
      return send(reply, await receive(delivery, parts));
    },
  });
  const notAllowed: Reply = { status: 405, headers: { allow: 'POST' }, body: 'only POST' };
  app.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: path,
    onRequest: async (_request, reply) => send(reply, notAllowed),
    handler: async () => undefined,
  });
}

/** What a sender gets to see that is none of the published ones. */
function refusedSource(head: IncomingMessage, { policies, link }: AppParts): Reply | undefined {
  const { published } = link;
  return published === undefined || policies.isPublished(policies.senderOf(head), published)
    ? undefined
    : policies.turnedAway;
}

/** The way of a delivery: verified, read, stored, answered. */
async function receive(delivery: ArrivedDelivery, { policies, store, tolerance }: AppParts): Promise<Reply> {
  if (!isGenuine(delivery, { policies, tolerance })) return policies.answer('forged', delivery);
  const notification = policies.read(delivery.body);
  if (notification === undefined) return policies.answer('unreadable', delivery);
  const acceptance = await policies.accept(notification, store, delivery);
  return policies.answer(acceptance, delivery, notification);
}

function send(reply: FastifyReply, { status, headers = {}, body = '' }: Reply): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', ...headers })
    .send(body);
}
