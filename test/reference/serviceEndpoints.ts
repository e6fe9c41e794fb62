import { createHmac, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { catalogue, contract, type Item } from './serviceClient.ts';

/** One request that came to an endpoint. */
export interface CaughtAttempt {
  readonly method: string;
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The body's value. */
  readonly json: { readonly data: Item; readonly included: readonly Item[] };
  readonly peer: string;
  /** Milliseconds on a monotonic clock. */
  readonly at: number;
}

/**
 * What becomes of an attempt: answered with this status, or
 *
 * - `hang`: never answered
 * - `reset`: the connection is broken at once; `half`: in the middle of an answer of 200
 * - `endless`: answered with 200 and a body without end; `drip`: the same, a byte at a time
 */
export type Treatment =
  | number
  | 'hang'
  | 'reset'
  | 'half'
  | 'endless'
  | 'drip'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** How the attempts of each notification are treated, in order; the last one for all that follow. */
export type Script = readonly [Treatment, ...Treatment[]];

/** One webhook's endpoint. */
export class ServiceEndpoint extends EventEmitter {
  readonly url: string;
  readonly attempts: CaughtAttempt[] = [];
  readonly script: Script;

  constructor(url: string, script: Script) {
    super();
    this.setMaxListeners(0);
    this.url = url;
    this.script = script;
  }

  /** Settles when so many attempts have come. */
  async caught(count: number): Promise<readonly CaughtAttempt[]> {
    const signal = AbortSignal.timeout(20_000);
    while (this.attempts.length < count) {
      await once(this, 'caught', { signal }).catch(() => {
        throw new Error(`${this.attempts.length} attempts came, not ${count}.`);
      });
    }
    return this.attempts;
  }

  /** The attempts by the id of their notification. */
  byId(): ReadonlyMap<string, readonly CaughtAttempt[]> {
    return Map.groupBy(this.attempts, ({ json }) => json.data.id);
  }
}

/** A server that plays any number of webhook endpoints, and keeps every request that comes. */
export class ServiceEndpoints {
  readonly #server: Server;
  readonly #scheme: string;
  readonly #endpoints = new Map<string, ServiceEndpoint>();

  /** @param tls - what makes it speak https */
  constructor(tls?: { readonly key: string; readonly cert: string }) {
    const take = (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response);
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#server = tls === undefined ? createServer(take) : createSecureServer(tls, take);
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  add(...script: Script): ServiceEndpoint {
    const path = `/${randomUUID()}`;
    const { port } = this.#server.address() as AddressInfo;
    const endpoint = new ServiceEndpoint(`${this.#scheme}://127.0.0.1:${port}${path}`, script);
    this.#endpoints.set(path, endpoint);
    return endpoint;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    if (this.#server.listening) await once(this.#server, 'close');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const { method = '', url = '', rawHeaders, headers, socket } = request;
    const endpoint = this.#endpoints.get(url);
    if (endpoint === undefined) return void response.writeHead(404).end();
    const json = JSON.parse(body.toString()) as CaughtAttempt['json'];
    const peer = socket.remoteAddress ?? '';
    endpoint.attempts.push({ method, path: url, rawHeaders, headers, body, json, peer, at: performance.now() });
    const number = endpoint.attempts.filter((each) => each.json.data.id === json.data.id).length;
    treat(endpoint.script[Math.min(number, endpoint.script.length) - 1]!, response);
    endpoint.emit('caught');
  }
}

function treat(treatment: Treatment, response: ServerResponse): void {
  if (typeof treatment === 'number') return void response.writeHead(treatment).end();
  if (typeof treatment === 'object') {
    return void response.writeHead(treatment.status, treatment.headers ?? {}).end(treatment.body ?? '');
  }
  if (treatment === 'hang') return;
  if (treatment === 'reset') return void response.socket!.resetAndDestroy();
  if (treatment === 'half') {
    return void response.writeHead(200, { 'content-length': '10' }).write('half', () => response.socket!.destroy());
  }
  response.writeHead(200);
  if (treatment === 'endless') return pour(response);
  const timer = setInterval(() => response.write('x'), 5);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(16 * 1024, 'x');
  const go = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', go);
  go();
}

/** What is wrong with a delivery, as the contract has it; nothing where all is right. */
export function deliveryProblem({ method, headers, body, json }: CaughtAttempt, secret: string): string | undefined {
  const event = contract.events[catalogue.indexOf(json.data.attributes.event)];
  if (event === undefined) return `no event of the catalogue: ${body.toString()}`;
  if (!event.validate(json)) return JSON.stringify(event.validate.errors);
  for (const { type, least, validate } of event.included) {
    const resources = json.included.filter((each) => each.type === type);
    if (resources.length < least) return `${event.name} comes without a ${type}`;
    const wrong = resources.find((each) => !validate(each));
    if (wrong !== undefined) return `${JSON.stringify(validate.errors)} in ${JSON.stringify(wrong)}`;
  }
  if (method !== contract.delivery.method) return `the method ${method}`;
  if (headers['content-type'] !== contract.delivery.mediaType) return `the media type ${headers['content-type']}`;
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return headers['x-svc-webhook-signature'] === signature
    ? undefined
    : `the signature ${String(headers['x-svc-webhook-signature'])}`;
}
