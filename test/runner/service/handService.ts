import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { catalogue } from './catalogue.ts';
import { closeServer } from '../../../runner/http/listen.ts';

export interface Asked {
  readonly method: string;
  /** Below `/v2`, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  /** 0: the connection is closed instead. */
  readonly status: number;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HandWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  active: boolean;
  /** Sent as they are. */
  readonly headers?: readonly { readonly name: string; readonly value: string }[] | null;
}

export interface HandNotification {
  readonly id: string;
  readonly event: string;
  readonly createdAt: string;
  status: string;
}

/** How a service differs from the plain one. */
export interface Traits {
  /** The pauses before the retries; the last one holds for all that follow. Default: 10 ms. */
  readonly backoff?: readonly number[];
  /** Sends a webhook, or anybody, nothing before all attempts at what was to be sent earlier are over. Default: no. */
  readonly inOrder?: boolean | 'of all';
  /** Milliseconds after which it gives up an attempt that is not answered. Default: never. */
  readonly patience?: number;
  /** Default 12. */
  readonly retries?: number;
  /** Whether an answer of a receiver ends the delivery. Default: the four statuses of the contract. */
  readonly isAccepted?: (status: number) => boolean;
  /** Whether a webhook is notified of an event. Default: where it is active and subscribes to it. */
  readonly tells?: (webhook: HandWebhook, event: string) => boolean;
  /** The id of a notification. Default: a fresh one for each webhook. */
  readonly idFor?: (webhook: HandWebhook, event: string, occurrence: string) => string;
  /** What is delivered. Default: the notification's shape. */
  readonly bodyOf?: (notification: HandNotification) => string;
  readonly sign?: (body: string, webhook: HandWebhook) => Readonly<Record<string, string>>;
  /** Answers instead of the service; nothing leaves it to the service. */
  readonly answer?: (asked: Asked, service: HandService) => Reply | undefined | Promise<Reply | undefined>;
}

const accepting = [200, 201, 202, 204];

/** A service in one file, to be bent in every way that an engine has to bear. It is not held to the contract itself. */
export class HandService {
  readonly token = 'the-key-of-the-hand-written-service';
  readonly webhooks = new Map<string, HandWebhook>();
  readonly notifications: HandNotification[] = [];
  /** What was raised, in order. */
  readonly raised: string[] = [];
  readonly asked: Asked[] = [];
  readonly #traits: Traits;
  /** By webhook, or of all: settles when all attempts at what it was notified of are over. */
  readonly #lines = new Map<string, Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '', 'http://localhost');
    const chunks = await Array.fromAsync(incoming as AsyncIterable<Buffer>).catch(() => []);
    const { method = '', headers } = incoming;
    const path = url.pathname.replace(/^\/v2/, '');
    const asked = { method, path, query: url.searchParams, headers, body: Buffer.concat(chunks).toString() };
    this.asked.push(asked);
    const { status, body, headers: own = {} } = (await this.#traits.answer?.(asked, this)) ?? this.#answer(asked);
    if (status === 0) return void response.destroy();
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'Content-Type': 'application/json', ...own }).end(text);
  });
  #origin = '';
  #closed = false;

  constructor(traits: Traits) {
    this.#traits = traits;
  }

  /** @param port - default: any free one */
  static async start(traits: Traits = {}, port = 0): Promise<HandService> {
    const service = new HandService(traits);
    service.#server.listen(port, '127.0.0.1');
    await once(service.#server, 'listening');
    service.#origin = `http://127.0.0.1:${(service.#server.address() as AddressInfo).port}`;
    return service;
  }

  get url(): string {
    return `${this.#origin}/v2`;
  }

  get emit(): string {
    return `${this.#origin}/emit`;
  }

  /** The ids of the webhooks that would still be notified. */
  get activeIds(): readonly string[] {
    return [...this.webhooks.values()].filter(({ active }) => active).map(({ id }) => id);
  }

  callsOf(method: string, path: RegExp): readonly Asked[] {
    return this.asked.filter((each) => each.method === method && path.test(each.path));
  }

  raise(event: string): void {
    this.raised.push(event);
    const { tells = (webhook) => webhook.active && webhook.events.includes(event), idFor = () => randomUUID() } =
      this.#traits;
    const occurrence = randomUUID();
    for (const webhook of this.webhooks.values()) {
      if (!tells(webhook, event)) continue;
      const id = idFor(webhook, event, occurrence);
      const notification = { id, event, createdAt: new Date().toISOString(), status: 'pending' };
      this.notifications.push(notification);
      const body = (this.#traits.bodyOf ?? bodyOf)(notification);
      const line = this.#traits.inOrder === 'of all' ? '' : webhook.id;
      const before = this.#traits.inOrder ? this.#lines.get(line) : undefined;
      const deliver = () => this.#deliver(notification, webhook, body, 1);
      this.#lines.set(line, before ? before.then(deliver) : deliver());
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#timers.forEach(clearTimeout);
    await closeServer(this.#server);
  }

  #answer({ method, path, headers, body }: Asked): Reply {
    if (method === 'POST' && path === '/emit') return this.#emit(body);
    if (headers.authorization !== `Token ${this.token}`) return { status: 401, body: { key: headers.authorization } };
    const [, id] = /^\/webhooks\/([^/]+)$/.exec(path) ?? [];
    const webhook = id === undefined ? undefined : this.webhooks.get(id);
    if (method === 'POST' && path === '/webhooks') return this.#create(body);
    if (method === 'GET' && path === '/webhooks')
      return { status: 200, body: { data: [...this.webhooks.values()].map(resourceOf) } };
    if (method === 'GET' && path === '/webhook_notifications')
      return { status: 200, body: { data: this.notifications.map(notificationOf) } };
    if (method === 'POST' && path === '/tracking_requests') return this.#track();
    if (webhook && method === 'DELETE') return { status: this.webhooks.delete(webhook.id) ? 204 : 404 };
    if (webhook && method === 'PATCH') {
      Object.assign(webhook, JSON.parse(body).data.attributes);
      return { status: 200, body: { data: resourceOf(webhook) } };
    }
    return { status: 404 };
  }

  #emit(body: string): Reply {
    this.raise((JSON.parse(body) as { event: string }).event);
    return { status: 204 };
  }

  #track(): Reply {
    this.raise(catalogue.found);
    return { status: 201, body: { data: { id: randomUUID(), type: 'tracking_request', attributes: {} } } };
  }

  #create(body: string): Reply {
    const { url, events, active, headers = null } = JSON.parse(body).data.attributes as HandWebhook;
    const webhook = { id: randomUUID(), url, events, active, headers, secret: randomUUID() };
    this.webhooks.set(webhook.id, webhook);
    return { status: 201, body: { data: resourceOf(webhook) } };
  }

  async #deliver(notification: HandNotification, webhook: HandWebhook, body: string, attempt: number): Promise<void> {
    const { retries = 12, backoff = [10], isAccepted = (status: number) => accepting.includes(status) } = this.#traits;
    const custom = Object.fromEntries((webhook.headers ?? []).map(({ name, value }) => [name, value]));
    const status = await post(
      webhook.url,
      body,
      { ...custom, ...(this.#traits.sign ?? signed)(body, webhook) },
      this.#traits.patience,
    );
    if (this.#closed) return;
    if (isAccepted(status)) notification.status = 'succeeded';
    else if (attempt > retries) notification.status = 'failed';
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#timers.add(setTimeout(resolve, backoff[Math.min(attempt, backoff.length) - 1]));
      await promise;
      await this.#deliver(notification, webhook, body, attempt + 1);
    }
  }
}

/** The shape of section 2.2. */
export function bodyOf(notification: HandNotification): string {
  return JSON.stringify({ data: notificationOf(notification) });
}

export function notificationOf({ id, event, createdAt, status }: HandNotification) {
  const attributes = { event, delivery_status: status, created_at: createdAt };
  return { id, type: 'webhook_notification', attributes };
}

export function resourceOf({ id, ...attributes }: HandWebhook) {
  return { id, type: 'webhook', attributes: { ...attributes, created_at: new Date().toISOString() } };
}

function signed(body: string, { secret }: HandWebhook): Readonly<Record<string, string>> {
  return { 'X-SVC-Webhook-Signature': createHmac('sha256', secret).update(body).digest('hex') };
}

/** The status of the answer; 0 where none came, as over https, which it does not speak. */
function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  patience?: number,
): Promise<number> {
  return new Promise((resolve) => {
    if (!url.startsWith('http:')) return resolve(0);
    const signal = patience === undefined ? undefined : AbortSignal.timeout(patience);
    const options = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(signal && { signal }),
    };
    const sending = httpRequest(url, options, (response) => {
      response.resume().once('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
    });
    sending.once('error', () => resolve(0));
    sending.end(body);
  });
}
