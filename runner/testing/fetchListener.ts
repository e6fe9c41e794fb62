import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** Answers a `Request` with a `Response`, as route handlers of Next and the apps of Hono do. */
export type FetchHandler = (request: Request) => Response | PromiseLike<Response>;

/** Methods that a `Request` cannot have. */
const impossible: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Lets a fetch handler answer the requests of a `http.Server`. What it throws is answered with 500. */
export function fetchListener(handler: FetchHandler): (request: IncomingMessage, response: ServerResponse) => void {
  return (incoming, outgoing) => void answer(handler, incoming, outgoing);
}

async function answer(handler: FetchHandler, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request = requestOf(incoming, gone.signal);
  if (request === undefined) return void outgoing.writeHead(400).end();
  try {
    await write(await handler(request), outgoing);
  } catch {
    // Where the answer has begun, or nobody waits for it any more, it can only be broken off.
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(500).end();
  }
}

/** Nothing where no `Request` can stand for it. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', headers: received, rawHeaders } = incoming;
  const address = URL.parse(url, `http://${received.host ?? 'localhost'}`);
  if (address === null || impossible.has(method)) return undefined;
  try {
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody
      ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const }
      : {};
    return new Request(address, { method, headers, signal, ...body });
  } catch {
    return undefined;
  }
}

async function write(response: Response, outgoing: ServerResponse): Promise<void> {
  const cookies = response.headers.getSetCookie();
  const headers = [...response.headers].filter(([name]) => name !== 'set-cookie').flat();
  outgoing.writeHead(response.status, [...headers, ...cookies.flatMap((cookie) => ['set-cookie', cookie])]);
  if (response.body === null) return void outgoing.end();
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}
