import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { startReceiver } from '../../reference/receiver/receiver.ts';
import { startService } from '../../reference/service/service.ts';
import { program } from '../programs.ts';
import { startRawServer } from '../runner/rawServer.ts';
import type { Enclosure } from './zooTarget.ts';

const secret = 'a secret of the zoo';
const token = 'key-of-the-zoo';

/** Answers one request in the place of a target that conforms. `pass` lets that one answer, and returns what it said. */
export type Change = (
  seen: { readonly method: string; readonly path: string; readonly count: number; readonly body: Buffer },
  response: ServerResponse,
  pass: () => Promise<Passed>,
) => unknown;

/** An answer of the target that conforms. */
export interface Passed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

export const asItIs: Change = async (_, response, pass) => sendPassed(response, await pass());

/** Takes so long for each answer. */
export function slowly(ms: number): Change {
  return async (_, response, pass) => {
    const all = await pass();
    await new Promise((resolve) => setTimeout(resolve, ms));
    sendPassed(response, all);
  };
}

/** Does something else once so many requests have come. */
export function after(count: number, change: Change): Change {
  return (seen, response, pass) => (seen.count > count ? change : asItIs)(seen, response, pass);
}

/** Listens no more, and breaks the connection. */
export const dying: Change = (_, { socket }) => {
  (socket as unknown as { readonly server: Server }).server.close();
  socket?.destroy();
};

/** A receiver that takes connections and does what the script says. */
export function rawReceiver(
  script: (socket: Socket, index: number) => void,
  words: readonly string[] = [],
): () => Promise<Enclosure> {
  return async () => {
    const server = await startRawServer(script, { allowHalfOpen: true });
    return { words: [...receiverWords(server.url.href), ...words], close: () => server.close() };
  };
}

/** The reference receiver with its probe, behind a server that changes some of its answers. */
export function changedReceiver(change: Change, words: readonly string[] = []): () => Promise<Enclosure> {
  return async () => {
    const receiver = await startReceiver({ secrets: [secret] });
    const { origin, close } = await listening(changing(new URL(receiver.url), change));
    const probe = words.includes('--probe') ? [] : ['--probe', receiver.probe];
    return {
      words: [...receiverWords(`${origin}/hooks`), ...probe, ...words.map((word) => word.replace('ORIGIN', origin))],
      close: () => Promise.all([close(), receiver.close()]),
    };
  };
}

/** The reference receiver, as a program that the kit starts: it listens where the kit runs. */
export async function startedReceiver(): Promise<Enclosure> {
  const url = 'http://127.0.0.1:4711/hooks';
  const start = `${process.execPath} ${program('receiver')} --secret '${secret}'`;
  const words = [...receiverWords(url), '--probe', 'http://127.0.0.1:4711/effects/{id}', '--start', start];
  return { words, close: async () => {} };
}

/** A service that takes connections and does what the script says. */
export function rawService(script: (socket: Socket, index: number) => void): () => Promise<Enclosure> {
  return async () => {
    const server = await startRawServer(script, { allowHalfOpen: true });
    return { words: serviceWords(server.url.origin), close: () => server.close() };
  };
}

/** The reference service, behind a server that changes some of its answers. */
export function changedService(
  change: Change,
  words: readonly string[] = [],
  options: Parameters<typeof startService>[0] = {},
): () => Promise<Enclosure> {
  return async () => {
    const service = await startService({ token, backoff: [20, 40, 60], ...options });
    const { origin, close } = await listening(changing(new URL(service.url), change));
    const emit = words.includes('--emit') ? [] : ['--emit', service.emit];
    return {
      words: [...serviceWords(origin), ...emit, ...words.map((word) => word.replace('ORIGIN', origin))],
      close: () => Promise.all([close(), service.close()]),
    };
  };
}

/** The same target, to be searched for sequences that break it. */
export function fuzzed(start: () => Promise<Enclosure>): () => Promise<Enclosure> {
  return async () => {
    const enclosure = await start();
    const [kind, url = '', ...rest] = enclosure.words;
    const target = kind === 'service' ? ['--service', url] : [url];
    return { words: ['fuzz', ...target, ...rest], close: () => enclosure.close() };
  };
}

export function receiverWords(url: string): readonly string[] {
  return ['receiver', url, '--secret', secret, '--timeout', '1s'];
}

export function serviceWords(origin: string): readonly string[] {
  return ['service', `${origin}/v2`, '--token', token, '--timeout', '2s', '--retry-window', '2s'];
}

async function listening(listener: RequestListener) {
  const sockets = new Set<Socket>();
  const server = createServer(listener).listen(0, '127.0.0.1');
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

function changing(target: URL, change: Change): RequestListener {
  let count = 0;
  return (incoming, response) => {
    response.on('error', () => {});
    const answer = async (): Promise<void> => {
      const body = await bodyOf(incoming);
      const { method = '', url: path = '' } = incoming;
      count += 1;
      await change({ method, path, count, body }, response, () => passed(target, incoming, body));
    };
    answer().catch(() => response.destroy());
  };
}

/** What comes of a request where nothing changes. */
export function sendPassed(response: ServerResponse, { status, headers, body }: Passed): void {
  const rest = Object.entries(headers).filter(
    ([name]) => !/^(?:connection|transfer-encoding|content-length)$/.test(name),
  );
  response.writeHead(status, { ...Object.fromEntries(rest), 'content-length': body.length }).end(body);
}

async function passed(target: URL, incoming: IncomingMessage, body: Buffer): Promise<Passed> {
  const { method, url, headers } = incoming;
  const { host: _, connection: __, 'transfer-encoding': ___, ...rest } = headers;
  const call = request({
    host: target.hostname,
    port: target.port,
    method,
    path: url,
    headers: { ...rest, 'content-length': body.length },
  });
  // An answer may come before all of the request is sent, and end it.
  call.on('error', () => {}).end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { status: answer.statusCode!, headers: answer.headers as Passed['headers'], body: await bodyOf(answer) };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
