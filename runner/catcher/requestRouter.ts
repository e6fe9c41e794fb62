import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Attempt, type AttemptContext, newCaught } from './attempt.ts';
import type { CatchHandlers, CatchServer, UnreadableError } from './catchServer.ts';
import type { CatchingPlace } from './endpoint.ts';
import { readBody, pause, type Room } from './readBody.ts';
import { type Play, playStep } from './playStep.ts';
import type { Header } from '../../suites/delivery.ts';
import type { CatchStep } from '../../suites/exchange.ts';

/** Bytes of a request body that are read at most. */
const readBytes = 16 * 1024 * 1024;
/** Codes of connections that their peer has closed: nothing was unreadable. */
const closedCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
/** The parser's code of a connection that ended in the middle of a request. */
const brokenOff = 'HPE_INVALID_EOF_STATE';
/** Milliseconds after which a connection that brought no HTTP is closed for good. */
const lingering = 5000;

export interface RouterOptions extends Pick<AttemptContext, 'elapsed' | 'keyOf'> {
  /** By its name. */
  readonly endpoints: ReadonlyMap<string, CatchingPlace>;
  /** Where everything goes that comes to no endpoint. Default: nowhere, it is refused. */
  readonly otherwise?: CatchingPlace | undefined;
  /** Bytes of a request body that are kept. */
  readonly bodyLimit: number;
  readonly room: Room;
  /** What answers a request that is no delivery, whatever the script of its endpoint; nobody hears of it. Default: there is none. */
  readonly answerBeside?: ((body: Buffer, headers: readonly Header[]) => CatchStep | undefined) | undefined;
}

/** Leads each request to its endpoint, by the last part of its path, and counts what belongs to none. */
export class RequestRouter implements CatchHandlers {
  strays = 0;
  readonly unreadable = new Map<string, number>();
  readonly #options: RouterOptions;
  readonly #open = new Set<Attempt>();
  readonly #latest = new WeakMap<Socket, Attempt>();

  constructor(options: RouterOptions) {
    this.#options = options;
  }

  onRequest(request: IncomingMessage, response: ServerResponse, server: CatchServer): void {
    const endpoint = this.#endpointAt(request.url ?? '');
    if (endpoint === undefined) return void this.#answerStray(request, response);
    const { elapsed, keyOf, bodyLimit, room, answerBeside } = this.#options;
    const context = { elapsed, keyOf, open: this.#open, reset: (socket: Socket) => server.reset(socket) };
    const attempt = new Attempt(endpoint, request, response, context);
    this.#latest.set(request.socket, attempt);
    const limits = { kept: bodyLimit, read: readBytes, room, answerBeside };
    catchAttempt(endpoint, { attempt, request, response }, limits).catch(() => attempt.reset());
  }

  onConnect(socket: Socket): void {
    this.strays += 1;
    refuse(socket, '404 Not Found');
  }

  onUnreadable(error: UnreadableError, socket: Socket): void {
    const { code = 'UNKNOWN' } = error;
    const attempt = this.#latest.get(socket);
    if (closedCodes.has(code) || (code === brokenOff && attempt?.reading)) return void socket.destroy();
    this.#count(code);
    if (attempt?.reading) return attempt.reset();
    if (attempt?.open) return attempt.closeAfterwards();
    if (socket.writable) this.#refuseUnreadable(error, socket);
    else socket.destroy();
  }

  onSilent(): void {
    this.#count('CLOSED_WITHOUT_REQUEST');
  }

  /** Leaves everything that is going on. */
  stop(): void {
    for (const attempt of this.#open) attempt.stop();
  }

  #count(code: string): void {
    this.unreadable.set(code, (this.unreadable.get(code) ?? 0) + 1);
  }

  #endpointAt(target: string): CatchingPlace | undefined {
    const end = target.search(/[?#]/);
    const path = end < 0 ? target : target.slice(0, end);
    const name = path.split('/').findLast((part) => part !== '') ?? '';
    return this.#options.endpoints.get(name) ?? this.#options.otherwise;
  }

  async #answerStray(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.strays += 1;
    response.on('error', () => {});
    const { bytes } = await readBody(request, { limit: 0, most: readBytes, room: this.#options.room });
    if (bytes < 0) return void request.socket.destroy();
    response.writeHead(404, { 'Content-Length': 0 }).end();
  }

  #refuseUnreadable({ code, rawPacket = Buffer.alloc(0) }: UnreadableError, socket: Socket): void {
    const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
    const request = unreadableRequest(rawPacket);
    const endpoint = request && this.#endpointAt(request.path);
    if (request === undefined || endpoint === undefined) return refuse(socket, `${status} Unreadable`);
    const at = this.#options.elapsed();
    const caught = newCaught(endpoint.name, request, socket, at);
    Object.assign(caught, { body: request.body, ...endpoint.assign('') });
    const kept = endpoint.keep(caught, endpoint.nextHead());
    refuse(socket, `${status} Unreadable`);
    caught.end = { kind: 'answered', status, at: this.#options.elapsed() };
    if (kept) endpoint.tell(caught);
  }
}

function refuse(socket: Socket, status: string): void {
  socket.setTimeout(lingering, () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

interface CatchLimits extends Pick<RouterOptions, 'answerBeside'> {
  /** Bytes of a request body that are kept. */
  readonly kept: number;
  /** Bytes of a request body that are read: a peer that goes on is cut off. */
  readonly read: number;
  readonly room: Room;
}

/** Plays one attempt from the arrival of its head: reads its body, and does what the endpoint's script says. */
async function catchAttempt(endpoint: CatchingPlace, play: Play, limits: CatchLimits): Promise<void> {
  const { attempt, request } = play;
  const { kept: limit, read: most, room, answerBeside } = limits;
  const body = await readBody(request, { limit, most, room, slowness: endpoint.slowness() }, attempt);
  // What is kept of it takes its room by itself.
  room.free(body.kept.length);
  const beside = body.bytes < 0 ? undefined : answerBeside?.(body.kept, attempt.caught.headers);
  if (beside === undefined) attempt.arrive(body);
  else attempt.pass();
  if (attempt.over) return;
  if (body.bytes < 0) return attempt.reset();
  if (beside !== undefined) return playStep(beside, play);
  const step = await attempt.decided();
  const late = step.do === 'slow-read' ? step.ms - attempt.age() : 0;
  if (await pause(late, attempt)) await playStep(step, play);
}

/** What can be reported of a request that no HTTP parser takes. */
interface UnreadableRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  /** What follows the first empty line. */
  readonly body: Buffer;
}

/** Reads as much as possible of bytes that should have been a request; nothing where they have no request line. */
function unreadableRequest(bytes: Buffer): UnreadableRequest | undefined {
  const [head = '', ...rest] = bytes.toString('latin1').split('\r\n\r\n');
  const [requestLine = '', ...lines] = head.split(/\r\n|\r|\n/);
  const [, method, path] = /^\s*(\S+) (\S+)/.exec(requestLine) ?? [];
  if (method === undefined || path === undefined) return undefined;
  return { method, path, headers: lines.map(header), body: Buffer.from(rest.join('\r\n\r\n'), 'latin1') };
}

function header(line: string): Header {
  const [, name = line, value = ''] = /^([^:]*):\s*(.*?)\s*$/s.exec(line) ?? [];
  return [name, value];
}
