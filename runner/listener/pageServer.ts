import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';

import { signatureHeaders } from '../../spec/signature.ts';
import type { Header } from '../../suites/delivery.ts';
import { boundedBody, closeServer, listen } from '../http/listen.ts';
import { createDeliverer } from '../http/deliverer.ts';
import { copiedRecord, isCopyForm } from './copiedRecord.ts';
import type { CaughtRecord } from './deliveryStore.ts';
import { deliveryOf } from './forwarder.ts';
import type { Listener } from './listener.ts';
import { NewsStream, shownRecord } from './newsStream.ts';
import type { PageGreeting } from './pageData.ts';
import { messageOf } from '../../spec/messageOf.ts';
import { jsonLine } from '../../reports/text/jsonText.ts';
import { hash } from '../../reports/formats/html/renderHtml.ts';

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
      this.#serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else refuse(response, 500, messageOf(error));
      });
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

/** Milliseconds that an answer may take. */
const timeout = 30_000;

/** Times that one delivery is sent again which are kept. */
const most = 20;

/**
 * Sends a delivery again to a receiver on this machine, as the page asks for it.
 *
 * @param asked - `url`; `body` (base64) where it was changed; `sign` where it is to be signed anew
 * @returns why it was not sent, where it was not
 */
async function resend(
  listener: Listener,
  record: CaughtRecord,
  asked: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const url = URL.parse(String(asked['url']));
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'Give the http or https URL of a receiver.';
  const { body: given } = asked;
  const body = typeof given === 'string' ? Buffer.from(given, 'base64') : record.caught.body;
  const changed = !body.equals(record.caught.body);
  const { headers, ...delivery } = deliveryOf(record.caught);
  const sent = asked['sign'] === true ? signedAnew(listener, { headers, body, id: delivery.id }) : headers;
  const deliverer = createDeliverer({ url, timeout, concurrency: 1, headers: [], reach: 'loopback' });
  try {
    const answer = await deliverer.deliver({ ...delivery, headers: sent, body });
    const resent = { at: Date.now(), url: `${url.origin}${url.pathname}`, changed, answer };
    record.resent = [...record.resent, resent].slice(-most);
    listener.changed(record);
    return undefined;
  } finally {
    await deliverer.close();
  }
}

interface Signed {
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly id: string;
}

function signedAnew({ kit }: Listener, { headers, body, id }: Signed): readonly Header[] {
  const [secret] = kit.secrets;
  if (secret === undefined || kit.contract.delivery.signature === undefined) return headers;
  const { scheme, header } = kit.signing;
  const fresh = signatureHeaders(scheme, header, { secret, body, id, timestamp: Math.floor(Date.now() / 1000) });
  const names = new Set(fresh.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...fresh];
}

/** The page, and the headers that it is served with. */
export interface RenderedPage {
  readonly html: string;
  readonly policy: string;
}

/**
 * The page of a listener. It runs no program but its own, and asks nobody but the listener.
 *
 * @throws Error where the page was never built
 */
function renderPage(greeting: PageGreeting): RenderedPage {
  const [script, style] = [part('page.js'), part('page.css')];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>seaworthy listen</title>
<style>${style}</style>
</head>
<body>
<noscript><p>This page is drawn by a script, and scripts are turned off here. The terminal shows the same deliveries.</p></noscript>
<div id="page"></div>
<script type="application/json" id="greeting">${jsonLine(greeting).trimEnd().replaceAll('<', '\\u003c')}</script>
<script>${script}</script>
</body>
</html>
`;
  return { html, policy: policy(script, style) };
}

function policy(script: string, style: string): string {
  return [
    `default-src 'none'`,
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    `connect-src 'self'`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

function part(name: string): string {
  const file = new URL(name, import.meta.url);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(
      `The page of the listener is not there: ${name} cannot be read. \`npm ci\` or \`npm run build:assets\` builds it.`,
      { cause },
    );
  }
}
