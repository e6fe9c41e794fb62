import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Contract } from '../../../spec/contract.ts';
import { type Access, RefusedAddress } from '../../http/access.ts';
import { closeServer, listen, boundedBody, bodyLimit, sendProblem } from '../../http/listen.ts';
import type { ListenOptions, Problem } from '../../http/listen.ts';
import { below, prismOperations } from '../prismOperations.ts';
import { createAgent } from '../../http/createPool.ts';
import { createJudge, type PassedResponse, type PassedCall } from './judgeCall.ts';
import type { Header } from '../../../suites/delivery.ts';
import { failureCode } from '../../http/connector.ts';

/** What a proxy stands before, and who hears of it. */
export interface ProxyOptions extends ListenOptions, Access {
  /** The base address of the service. */
  readonly target: URL;
  /** Called for each call once its answer has gone through. */
  readonly onCall: (call: PassedCall) => void;
}

/** A proxy that runs. */
export interface RunningProxy {
  /** The base address to use in place of the service's own. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Stands between a client and a service. Bytes and headers go on as they came; Prism judges a copy of them.
 *
 * @throws UsageError where it cannot listen there, KitError where Prism cannot read the contract
 */
export async function startProxy(contract: Contract, options: ProxyOptions): Promise<RunningProxy> {
  const judge = createJudge(contract, [...(await prismOperations(contract))]);
  const agent = createAgent(options, 10_000);
  const server = createServer((request, response) => {
    void pass({ ...options, judge, agent }, request, response);
  });
  const origin = await listen(server, options);
  return {
    url: origin + baseOf(options.target),
    async close() {
      await closeServer(server);
      await agent.destroy();
    },
  };
}

interface Passage extends Pick<ProxyOptions, 'target' | 'onCall'> {
  readonly judge: ReturnType<typeof createJudge>;
  readonly agent: Agent;
}

async function pass(passage: Passage, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { target, onCall, judge, agent } = passage;
  const { method = 'GET', url = '/' } = request;
  const body = await boundedBody(request);
  if (body === 'broken') return;
  if (body === 'too long') return sendProblem(response, tooLarge);
  const headers = headerPairs(request.rawHeaders);
  const path = below(baseOf(target), url);
  const answer = await forward({ agent, origin: target.origin, method, url, headers, body }, response);
  const seen = { method, path, headers, body };
  if ('status' in answer) {
    onCall({ method, path: path ?? url, status: answer.status, ...judge(seen, answer) });
  } else {
    const problem = noAnswer(target, answer.failure);
    if (!response.destroyed) sendProblem(response, problem);
    onCall({ method, path: path ?? url, status: problem.status, ...judge(seen, undefined), failure: answer.failure });
  }
}

function baseOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '');
}

const tooLarge: Problem = {
  status: 413,
  title: 'Too large for the proxy',
  detail: `The body has more than ${bodyLimit} bytes, which the proxy does not pass on. Send it to the service itself.`,
};

function noAnswer({ origin }: URL, failure: string): Problem {
  return {
    status: 502,
    title: 'No answer from the service',
    detail: `${origin} gave no answer (${failure}). Start the service, or give the proxy the address where it runs.`,
  };
}

/** A request to go on, as it came. */
interface Forwarded {
  readonly agent: Dispatcher;
  readonly origin: string;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** The target gave no answer; `failure` is the system's code, or says why no connection was made. */
interface Failed {
  readonly failure: string;
}

/**
 * Sends a request on and its answer back, piece by piece as it comes. Status, headers and bytes stay what they are.
 *
 * @returns the answer; its body is missing where it broke off, or was longer than is kept
 */
async function forward(request: Forwarded, response: ServerResponse): Promise<PassedResponse | Failed> {
  const answer = await send(request, response).catch((error: unknown) => ({
    failure: error instanceof RefusedAddress ? `${error.message}. ${error.end.advice}` : failureCode(error),
  }));
  if ('failure' in answer) return answer;
  const headers = headerPairs(answer.headers as unknown as readonly string[]);
  response.sendDate = false;
  response.writeHead(answer.statusCode, answer.statusText, passingHeaders(headers).flat());
  return { status: answer.statusCode, headers, body: await passOn(answer.body, response) };
}

/** The target hears of it where the client does not wait for the answer. */
function send({ agent, origin, method, url, headers, body }: Forwarded, response: ServerResponse) {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return agent.request({
    origin,
    path: url,
    method: method as Dispatcher.HttpMethod,
    headers: passingHeaders(headers).flat(),
    body: body.length === 0 ? null : body,
    responseHeaders: 'raw',
    signal: gone.signal,
  });
}

async function passOn(body: Readable, response: ServerResponse): Promise<Buffer | undefined> {
  const kept: Buffer[] = [];
  let length = 0;
  const keep = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      length += chunk.length;
      if (length <= bodyLimit) kept.push(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(body, keep, response);
  } catch {
    return undefined;
  }
  return length <= bodyLimit ? Buffer.concat(kept) : undefined;
}

/** What belongs to one connection, and not to the message (RFC 9110, 7.6.1); the target's own host goes in place of the proxy's. */
const ofTheConnection = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Name after name, value after value, as Node gives raw headers, in pairs. */
function headerPairs(raw: readonly string[]): readonly Header[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as const] : []));
}

/** The headers that go on, in their order and with their casing: all but those of the connection. */
function passingHeaders(headers: readonly Header[]): readonly Header[] {
  const named = headers.filter(([name]) => name.toLowerCase() === 'connection').map(([, value]) => value);
  const listed = new Set(
    named
      .join(',')
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  );
  return headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()) && !listed.has(name.toLowerCase()));
}
