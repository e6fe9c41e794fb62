import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { isObject, parseJson } from './bareNode/json.ts';
import { isAccepted, notificationResource, Outbox, type Signing, type Webhook } from './bareNode/outbox.ts';
import { Refusal, demand } from './bareNode/refusal.ts';
import { inferredScac, Tracking } from './bareNode/tracking.ts';
import { catalogueEvent, creation, deliverableUrl, update } from './bareNode/webhookInput.ts';
import type { StartService } from './start.ts';
import { closeServer, listen } from '../../../runner/http/listen.ts';

/** The largest body of a call that is read. */
const limit = 1024 * 1024;

interface Reply {
  readonly status: number;
  readonly json?: unknown;
}

const usual: Signing = {
  header: 'X-SVC-Webhook-Signature',
  of: (body, secret) => createHmac('sha256', secret).update(body).digest('hex'),
};

type Route = readonly [method: string, path: RegExp, run: (body: Buffer, id: string) => Reply | Promise<Reply>];

/**
 * Nothing but `node:http`, all state in memory: refusals are plain text, lists bare arrays without pages, an update is
 * answered with 204, a webhook can be neither read nor deleted, times have milliseconds, notifications come alone, and
 * an order of a sample is answered with 422 where the receiver refuses it.
 */
export const start: StartService = signingWith(usual);

/** The same service, which sends nothing to a webhook for three seconds once all attempts of a notification failed. */
export const startPausing: StartService = signingWith(usual, 3000);

/**
 * The same service with another signature.
 *
 * @param pause - milliseconds for which nothing is sent to a webhook that fails and fails. Default: none
 */
export function signingWith(signing: Signing, pause = 0): StartService {
  return async ({ backoff = [20, 30, 40, 50], timeout = 400 } = {}) => {
    const token = randomBytes(16).toString('hex');
    const webhooks = new Map<string, Webhook>();
    const outbox = new Outbox({ signing, backoff, timeout, pause });
    const raise = (event: string): void => outbox.raise(event, webhooks.values());
    const tracking = new Tracking(raise);
    const api = [...webhookRoutes(webhooks, outbox), ...trackingRoutes(tracking)];

    const server = createServer((request, response) => void answer(request, response, dispatch));
    async function dispatch({ method = '', url = '', headers }: IncomingMessage, body: () => Buffer): Promise<Reply> {
      const path = url.split('?')[0]!;
      if (method === 'POST' && path === '/emit') return emit(parseJson(body()), raise, tracking);
      const key = /^token (.+)$/i.exec(headers.authorization ?? '')?.[1];
      if (key !== token) throw new Refusal(401, 'Say who you are: Authorization: Token <API_KEY>\n');
      for (const [verb, pattern, run] of path.startsWith('/v2/') ? api : []) {
        const match = verb === method ? pattern.exec(path.slice('/v2'.length)) : null;
        if (match) return run(body(), match[1] ?? '');
      }
      throw new Refusal(404, `There is no ${method} ${path}\n`);
    }

    const origin = await listen(server, { host: '127.0.0.1', port: 0 });
    return {
      url: `${origin}/v2`,
      token,
      emit: `${origin}/emit`,
      trackable: 'MAEU:MAEU123456789',
      untrackable: 'MAEU:MAEU000000000',
      close: async () => {
        outbox.close();
        tracking.close();
        await closeServer(server);
      },
    };
  };
}

function webhookRoutes(webhooks: Map<string, Webhook>, outbox: Outbox): readonly Route[] {
  return [
    ['POST', /^\/webhooks$/, (body) => ({ status: 201, json: { data: create(parseJson(body), webhooks) } })],
    ['GET', /^\/webhooks$/, () => ({ status: 200, json: [...webhooks.values()].map(webhookResource) })],
    ['POST', /^\/webhooks\/trigger$/, (body) => trigger(parseJson(body), outbox)],
    ['GET', /^\/webhooks\/ips$/, () => ({ status: 200, json: { addresses: ['127.0.0.1'] } })],
    ['PATCH', /^\/webhooks\/([^/]+)$/, (body, id) => change(parseJson(body), webhooks.get(id))],
    ['GET', /^\/webhook_notifications$/, () => ({ status: 200, json: outbox.notifications.map(notificationResource) })],
  ];
}

function trackingRoutes(tracking: Tracking): readonly Route[] {
  return [
    ['POST', /^\/tracking_requests$/, (body) => ({ status: 202, json: { data: tracking.request(parseJson(body)) } })],
    ['GET', /^\/tracking_requests$/, () => ({ status: 200, json: tracking.requests })],
    ['GET', /^\/shipments$/, () => ({ status: 200, json: tracking.shipments })],
    ['GET', /^\/containers$/, () => ({ status: 200, json: tracking.containers })],
    [
      'POST',
      /^\/tracking_requests\/infer_number$/,
      (body) => ({ status: 200, json: { scac: inferredScac(parseJson(body)) } }),
    ],
  ];
}

/** The answer of the creation is the only one that shows the secret. */
function create(body: unknown, webhooks: Map<string, Webhook>): object {
  const assigned = { id: randomUUID(), secret: randomBytes(24).toString('base64url') };
  const webhook = {
    ...creation(body),
    ...assigned,
    createdAt: new Date().toISOString(),
    failures: 0,
    failedInARow: 0,
    pausedUntil: 0,
  };
  webhooks.set(webhook.id, webhook);
  const { id, type, attributes } = webhookResource(webhook);
  return { id, type, attributes: { ...attributes, secret: webhook.secret } };
}

function change(body: unknown, webhook: Webhook | undefined): Reply {
  if (webhook === undefined) throw new Refusal(404, 'There is no such webhook.\n');
  const named = update(body, webhook.id);
  Object.assign(webhook, named);
  if (named.active === true) webhook.failures = 0;
  return { status: 204 };
}

async function trigger(body: unknown, outbox: Outbox): Promise<Reply> {
  demand(isObject(body), 'The body must be an object with url and event.\n');
  const { secret } = body;
  demand(secret === undefined || (typeof secret === 'string' && secret !== ''), 'secret must be a text.\n');
  const answered = await outbox.sample(deliverableUrl(body['url']), catalogueEvent(body['event']), secret);
  return { status: isAccepted(answered) ? 200 : 422, json: { answered: answered ?? null } };
}

/** A client that is notified of a successful tracking must find something. */
function emit(body: unknown, raise: (event: string) => void, tracking: Tracking): Reply {
  demand(isObject(body), 'The body must be an object with event.\n');
  const event = catalogueEvent(body['event']);
  if (event === 'tracking_request.succeeded') tracking.trackAny();
  raise(event);
  return { status: 204 };
}

function webhookResource(webhook: Webhook) {
  const { id, url, active, events, headers, createdAt } = webhook;
  return { id, type: 'webhook', attributes: { url, active, events, headers, created_at: createdAt } };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  dispatch: (request: IncomingMessage, body: () => Buffer) => Promise<Reply>,
): Promise<void> {
  try {
    const body = await read(request);
    const { status, json } = await dispatch(request, body);
    if (json === undefined) response.writeHead(status).end();
    else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
  } catch (error) {
    if (!request.complete) response.destroy();
    else if (!(error instanceof Refusal)) response.writeHead(500).end(String(error));
    else response.writeHead(error.status, { 'Content-Type': 'text/plain' }).end(error.message);
  }
}

/** Reads all that comes and keeps what is small enough; who may call is asked before how much was sent. */
async function read(request: IncomingMessage): Promise<() => Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
  }
  return () => {
    if (size > limit) throw new Refusal(413, `${size} bytes are too many; ${limit} are taken.\n`);
    return Buffer.concat(chunks);
  };
}
