import { randomBytes } from 'node:crypto';

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { buildConnector } from 'undici';

import { readBody } from '../receiver/body.ts';
import { closeApp, closingTime, originOf, schemaless } from '../app.ts';
import { conformingPolicies } from './conformingPolicies.ts';
import { createServiceParts, type ServiceParts } from './createServiceParts.ts';
import { madeUpOccurrence, storyOf } from './scene.ts';
import { addOperations } from './operationRoutes.ts';
import type { DeliveryTuning, ServicePolicies } from './policies.ts';
import type { MadeAttempt, Reply } from './records.ts';
import { jsonReply, member, parseBody, refusal, Refusal, refuseUnknown, replyTo, send } from './reply.ts';
import { ResourceStore } from './stores.ts';
import { isLoopback } from './webhookInput.ts';

export interface ServiceOptions {
  /** The API key. Default: a random one. */
  readonly token?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** A file that outlives the process, for one service at a time. Default: memory, which ends with it. */
  readonly database?: string;
  /** Milliseconds before retry 1, 2, ...; the last one for all that follow. Default: from 1 s to 4 h. */
  readonly backoff?: readonly number[];
  /** The part of a pause, 0 to 1, by which it may be longer or shorter. Default 0.2. */
  readonly jitter?: number;
  /** Milliseconds that a delivery may take, from the connection to the end of the answer. Default 10 000. */
  readonly timeout?: number;
  /** Deliveries in flight that do not keep the service waiting; those that do may be sixteen times as many. Default 64. */
  readonly concurrency?: number;
  /** Simulated seconds in a second, for the voyages. Default 1. */
  readonly speed?: number;
  /** How many notifications have to fail in a row for their webhook to turn inactive. Default 10. */
  readonly deactivateAfter?: number;
  /** Decisions that differ from the conforming ones. */
  readonly policies?: Partial<ServicePolicies>;
  /** PEM of an authority that is trusted, beside the usual ones, when a delivery goes over https. */
  readonly ca?: string;
  /** How it connects to receivers; `ca` then counts no more. Default: on this machine only, whatever a name leads to. */
  readonly connect?: buildConnector.connector;
  /** Called of every attempt to deliver a notification, after it was made. */
  readonly onAttempt?: (attempt: MadeAttempt) => void;
  /** Called of every call of the API, after it was answered. */
  readonly onCall?: (call: HeardCall) => void;
}

export interface RunningService {
  /** The base address: `http://127.0.0.1:4010/v2`. */
  readonly url: string;
  readonly token: string;
  /** Where events are raised by hand: `POST {"event": "..."}`. */
  readonly emit: string;
  /** A line and a number that it finds: `MAEU:MAEU123456789`. */
  readonly trackable: string;
  /** A line and a number that it does not know. */
  readonly untrackable: string;
  /** Lets an event of the catalogue happen on a voyage of its own, whose records stand in the lists from then on. */
  raise(event: string): Promise<RaisedEvent>;
  /** Ends connections, keeps what is pending. Safe to call twice. */
  close(): Promise<void>;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const usual: Readonly<DeliveryTuning> = {
  backoff: [second, 5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour],
  jitter: 0.2,
  timeout: 10 * second,
  concurrency: 64,
  deactivateAfter: 10,
};

/**
 * Starts a service that keeps the contract, as far as `policies` leaves it to.
 *
 * @throws RangeError for an option that cannot be; Error where the port or the database is in use
 * @example
 * const service = await startService({ port: 4010, token: 'staging', backoff: [20, 40] });
 */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const { host = '127.0.0.1', port = 0, token = randomBytes(16).toString('hex'), speed = 1, ca, connect } = options;
  const { database = ':memory:', onAttempt = () => {} } = options;
  const tuning = tuningOf(options);
  if (!(speed > 0)) throw new RangeError(`speed is ${speed}; valid is any number above 0.`);
  const policies = { ...conformingPolicies, ...options.policies };
  const engine = createServiceParts({ file: database, policies, tuning, speed, ca, connect, onAttempt });
  const app = createApp(engine.parts, token, options.onCall);
  const close = async () => {
    engine.stop();
    await closeApp(app);
    await engine.end(closingTime);
  };
  try {
    await app.listen({ host, port });
  } catch (error) {
    await close();
    throw error;
  }
  engine.resume();
  const origin = originOf(app);
  let closing: Promise<void> | undefined;
  return {
    url: `${origin}${policies.base}`,
    token,
    emit: `${origin}/emit`,
    trackable: 'MAEU:MAEU123456789',
    untrackable: 'MAEU:MAEU123456404',
    raise: (event) => raise(event, engine.parts),
    close: () => (closing ??= close()),
  };
}

function tuningOf(options: ServiceOptions): DeliveryTuning {
  const given = Object.fromEntries(
    Object.entries(options).filter(([name, value]) => name in usual && value !== undefined),
  );
  const tuning: DeliveryTuning = { ...usual, ...given };
  const { backoff, jitter, timeout, concurrency, deactivateAfter } = tuning;
  if (backoff.length === 0 || backoff.some((pause) => !(pause >= 0))) {
    throw new RangeError(
      `backoff is [${backoff.join(', ')}]; valid is a list of milliseconds from 0 on, such as [1000, 5000].`,
    );
  }
  if (!(jitter >= 0 && jitter <= 1)) throw new RangeError(`jitter is ${jitter}; valid is 0 to 1.`);
  if (!(timeout > 0)) throw new RangeError(`timeout is ${timeout}; valid are milliseconds above 0.`);
  for (const [name, count] of Object.entries({ concurrency, deactivateAfter })) {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`${name} is ${count}; valid is a whole number from 1 on.`);
  }
  return tuning;
}

/** What became of an event that was raised: the ids of its notifications, and of the records that stand in the lists now. */
interface RaisedEvent {
  readonly notifications: readonly string[];
  readonly shipments: readonly string[];
  readonly containers: readonly string[];
}

/**
 * An event happens on a voyage of its own, whose shipment and containers stand in the lists from then on.
 *
 * @throws Error for an event that is none of the catalogue
 */
async function raise(event: string, { announcer, contract, database, policies }: ServiceParts): Promise<RaisedEvent> {
  const { occurrence, shipment, containers } = storyOf(event, contract, policies.timestamp);
  const now = Date.now();
  const notifications = await announcer.begin([occurrence], () => {
    new ResourceStore(database, 'shipments').save(shipment, now);
    const store = new ResourceStore(database, 'containers');
    for (const container of containers) store.save(container, now);
  });
  return {
    notifications: notifications.map(({ id }) => id),
    shipments: [shipment.id],
    containers: containers.map(({ id }) => id),
  };
}

const seconds = 1000;

/** The HTTP face of the service: a route for each operation of the contract, and `/emit` beside them. */
function createApp(parts: ServiceParts, token: string, onCall?: (call: HeardCall) => void): FastifyInstance {
  const { base, bodyLimit, routesLoosely } = parts.policies;
  const app = Fastify({
    ...schemaless,
    forceCloseConnections: 'idle',
    requestTimeout: 60 * seconds,
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: routesLoosely, caseSensitive: !routesLoosely },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request: FastifyRequest) => readBody(request.raw, bodyLimit));
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => send(reply, replyTo(error)));
  app.setNotFoundHandler(refuseUnknown);
  app.register(
    async (api) => {
      if (onCall !== undefined) hearCalls(api, onCall);
      addOperations(api, parts, token);
    },
    { prefix: base },
  );
  addEmit(app, parts);
  return app;
}

function addEmit(app: FastifyInstance, parts: ServiceParts): void {
  app.post('/emit', {
    onRequest: async ({ ip, headers }) => {
      if (!isLoopback(ip)) throw refusal(403, 'loopback', `/emit takes calls from this machine alone, not from ${ip}.`);
      if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() === 'application/json') return;
      throw refusal(415, 'media-type', '/emit takes application/json, as in {"event": "container.created"}.');
    },
    handler: async ({ body }, reply) => send(reply, await emit((body as Buffer | undefined) ?? Buffer.alloc(0), parts)),
  });
}

/**
 * `POST /emit` with `{"event": "..."}`: the event happens for real, on a made-up voyage, to every active webhook that
 * subscribes to it. No operation of the contract: a tool of the stand-in, for callers on its own machine.
 *
 * @throws Refusal (400, 422)
 */
async function emit(body: Buffer, { announcer, catalogue, contract, policies }: ServiceParts): Promise<Reply> {
  const event = member(parseBody(body), 'event');
  if (typeof event !== 'string' || !catalogue.includes(event)) {
    const given = event === undefined ? 'missing' : JSON.stringify(event).slice(0, 80);
    const detail = `/event is ${given}. Valid are ${catalogue.join(', ')}.`;
    throw new Refusal([{ status: 422, rule: 'enum', pointer: '/event', detail }]);
  }
  const notifications = await announcer.announce([madeUpOccurrence(event, contract, policies.timestamp)]);
  return jsonReply(202, { notifications }, 'application/json; charset=utf-8');
}

/** A call of the API that was answered, for those who look on. */
export interface HeardCall {
  /** Empty for what is no operation of the contract. */
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** The ids of the resources in the answer. */
  readonly ids: readonly string[];
}

/** Reports each call once its answer has left. */
function hearCalls(api: FastifyInstance, onCall: (call: HeardCall) => void): void {
  const shown = new WeakMap<FastifyReply, readonly string[]>();
  api.addHook('onSend', async (_request, reply, payload) => {
    shown.set(reply, typeof payload === 'string' ? idsIn(payload) : []);
  });
  api.addHook('onResponse', async (request: FastifyRequest, reply) => {
    const { operationId = '' } = request.routeOptions.config as { operationId?: string };
    const { method, url } = request;
    onCall({ operationId, method, path: url, status: reply.statusCode, ids: shown.get(reply) ?? [] });
  });
}

function idsIn(payload: string): readonly string[] {
  if (!payload.startsWith('{')) return [];
  const resources = [member(JSON.parse(payload), 'data')].flat();
  return resources.map((each) => member(each, 'id')).filter((id) => typeof id === 'string');
}
