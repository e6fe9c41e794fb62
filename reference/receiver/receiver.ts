import type { IncomingMessage } from 'node:http';

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import { closeApp, originOf, schemaless } from '../app.ts';
import { conformingPolicies } from './conformingPolicies.ts';
import type { ReceiverPolicies } from './policies.ts';
import type { ArrivedDelivery, Reply } from './records.ts';
import { type LinkOptions, ServiceLink } from './serviceLink.ts';
import { NotificationStore } from './store.ts';
import { isGenuine, signatureHeader } from './verify.ts';

export interface ReceiverOptions extends LinkOptions {
  /** The webhook's secret; more than one while it is being replaced. Empty ones are refused. */
  readonly secrets: readonly string[];
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default `/hooks`. */
  readonly path?: string;
  /** A file that outlives the process. Default: memory, which ends with it. */
  readonly database?: string;
  /** Decisions that differ from the conforming ones. */
  readonly policies?: Partial<ReceiverPolicies>;
  /** Default `X-SVC-Webhook-Signature` (section 5.2). */
  readonly signatureHeader?: string;
  /**
   * Milliseconds by which the timestamp of a signature may differ from the clock: the header then holds `t=<seconds>,v1=<digest>`,
   * and `<seconds>.<body>` is signed. Default: signatures carry no timestamp.
   */
  readonly tolerance?: number;
  /** Milliseconds between an acceptance and its effect. Default 10, so that effects share transactions too. */
  readonly effectDelay?: number;
}

export interface RunningReceiver {
  /** Where deliveries go: `http://127.0.0.1:4711/hooks`. */
  readonly url: string;
  /** Where effects are counted: `http://127.0.0.1:4711/effects/{id}` answers `{"count": n}`. */
  readonly probe: string;
  /** Ends connections, keeps what was accepted. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Starts a webhook receiver that keeps the contract, as far as `policies` leaves it to.
 *
 * @throws TypeError for an empty secret
 * @example
 * const receiver = await startReceiver({ secrets: ['whsec'], port: 4711 });
 */
export async function startReceiver(options: ReceiverOptions): Promise<RunningReceiver> {
  const { host = '127.0.0.1', port = 0, path = '/hooks', database = ':memory:' } = options;
  const header = options.signatureHeader ?? signatureHeader;
  const policies = { ...conformingPolicies, ...options.policies };
  const secrets = policies.usableSecrets(options.secrets);
  const store = openStore(database, policies);
  const worker = new EffectsWorker(store, policies, options.effectDelay ?? 10);
  const link = new ServiceLink(options, policies, store);
  const app = createApp({ path, header, secrets, tolerance: options.tolerance, policies, store, link });
  const close = async () => {
    worker.stop();
    link.stop();
    policies.end(store);
    await closeApp(app);
    store.close();
  };
  try {
    await link.prepare();
    await app.listen({ host, port });
    link.begin();
  } catch (error) {
    await close();
    throw error;
  }
  const origin = originOf(app);
  let closing: Promise<void> | undefined;
  return {
    url: `${origin}${path}`,
    probe: `${origin}/effects/{id}`,
    close: () => (closing ??= close()),
  };
}

function openStore(file: string, { begin }: ReceiverPolicies): NotificationStore {
  const store = new NotificationStore(file);
  try {
    begin(store);
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Notifications that take effect in one transaction. */
const batch = 500;

/** Milliseconds until a drain that failed (a locked database, a full disk) is tried again. */
const retryDelay = 250;

/**
 * Lets accepted notifications take effect in the background, oldest first: those that a stopped or killed process left
 * behind as well as new ones.
 */
class EffectsWorker {
  readonly #store: NotificationStore;
  readonly #work: ReceiverPolicies['work'];
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param delay - milliseconds between an acceptance and its effect */
  constructor(store: NotificationStore, { work }: Pick<ReceiverPolicies, 'work'>, delay: number) {
    this.#store = store;
    this.#work = work;
    store.onPending = () => this.#wake(delay);
    this.#wake(delay);
  }

  /** What is still pending stays in the store for the next start. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #wake(delay: number): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => this.#drain(), delay);
  }

  #drain(): void {
    this.#timer = undefined;
    try {
      if (this.#work(this.#store, batch) === batch) this.#wake(0);
    } catch {
      // Nothing is lost: the transaction was rolled back, and the notifications are still pending.
      this.#wake(retryDelay);
    }
  }
}

interface AppParts {
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
function createApp(parts: AppParts): FastifyInstance {
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
