import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { boundedBody } from '../http/boundedBody.ts';
import { closeServer, listen } from '../http/listen.ts';
import { copiedRecord, isCopyForm } from './copiedRecord.ts';
import type { Listener } from './listener.ts';
import { NewsStream } from './newsStream.ts';
import type { PageGreeting } from './pageData.ts';
import { renderPage } from './renderPage.ts';
import { resend } from './resend.ts';
import { shownRecord } from './shownRecord.ts';

/** What the page of a listener gets before anything comes. @param sample - the command line that sends a sample */
export function pageGreeting({ contract, url, kit, next, forwarder }: Listener, sample: string): PageGreeting {
  return {
    title: contract.title,
    address: url,
    secrets: kit.secrets,
    signs: contract.delivery.signature !== undefined && kit.secrets.length > 0,
    sample,
    answers: next.choices.map(({ name, key, label, words }) => ({ name, key, label, words })),
    ...(forwarder && { forward: forwarder.url.href }),
  };
}

/** What the page is served with, whatever it is. */
const guarded = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Milliseconds between two messages to the page at least. */
const pace = 200;

/**
 * Serves the page of a listener to this machine alone: on loopback, under its own name (no name of another site can be made to
 * lead here), to itself (no other site can ask), and below a random path (no other user can guess it).
 */
export class PageServer {
  readonly #listener: Listener;
  readonly #server: Server;
  readonly #token = randomBytes(16).toString('hex');
  readonly #greeting: PageGreeting;
  readonly #news: NewsStream;
  readonly #stop: () => void;
  #origin = '';

  constructor(listener: Listener, greeting: PageGreeting) {
    this.#listener = listener;
    this.#greeting = greeting;
    this.#news = new NewsStream(listener, pace);
    this.#stop = listener.on(() => this.#news.wake());
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  get url(): string {
    return `${this.#origin}/${this.#token}/`;
  }

  async listen(): Promise<void> {
    this.#origin = await listen(this.#server, { host: '127.0.0.1', port: 0 });
  }

  async close(): Promise<void> {
    this.#stop();
    this.#news.close();
    await closeServer(this.#server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(guarded)) response.setHeader(name, value);
    const [path = ''] = (request.url ?? '').split('?', 1);
    const start = `/${this.#token}/`;
    if (!this.#isOwn(request)) return refuse(response, 403, 'This page is for its own address alone.');
    if (!path.startsWith(start)) return refuse(response, 404, 'There is nothing here. The terminal has the address.');
    const rest = path.slice(start.length);
    if (request.method === 'GET') return this.#get(rest, response);
    if (request.method === 'POST' && request.headers.origin === this.#origin)
      return this.#post(rest, request, response);
    refuse(response, 405, 'GET, or POST from the page itself.');
  }

  /** Whether the request names this server, and comes from its own page or from no page. */
  #isOwn({ headers: { host, origin, 'sec-fetch-site': site = 'none' } }: IncomingMessage): boolean {
    const isNamed = `http://${host}` === this.#origin;
    return isNamed && (origin ?? this.#origin) === this.#origin && ['none', 'same-origin'].includes(String(site));
  }

  #get(path: string, response: ServerResponse): void {
    if (path === '') {
      const { html, policy } = renderPage(this.#greeting);
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
      return void response.end(html);
    }
    if (path === 'news') return this.#news.add(response);
    const [, number = '', form] = /^deliveries\/(\d{1,12})(?:\/(\w+))?$/.exec(path) ?? [];
    const record = this.#listener.store.get(Number(number));
    if (record === undefined) return refuse(response, 404, 'This delivery is no longer kept.');
    if (form === undefined) return sendJson(response, shownRecord(record));
    if (!isCopyForm(form)) return refuse(response, 404, 'There is no such form.');
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(copiedRecord(this.#listener, record, form));
  }

  async #post(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await boundedBody(request, 2 * 16 * 1024 * 1024);
    const value = Buffer.isBuffer(body) ? parsedObject(body) : undefined;
    if (value === undefined) return refuse(response, 400, 'The body is no JSON object.');
    if (path === 'answer') {
      const choice = this.#listener.next.choose(String(value['name']), value['lasting'] === true);
      if (choice === undefined) return refuse(response, 400, 'There is no such answer.');
      this.#news.wake();
      return sendJson(response, {});
    }
    if (path === 'clear') {
      this.#listener.store.clear();
      this.#news.wake();
      return sendJson(response, {});
    }
    if (path !== 'resend') return refuse(response, 404, 'There is nothing here.');
    const record = this.#listener.store.get(Number(value['number']));
    if (record === undefined) return refuse(response, 404, 'This delivery is no longer kept.');
    const failure = await resend(this.#listener, record, value);
    this.#news.wake();
    if (failure !== undefined) return refuse(response, 400, failure);
    sendJson(response, shownRecord(record));
  }
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${why}\n`);
}

function parsedObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
