import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Dispatcher } from 'undici';

import type { Header } from '../../../suites/delivery.ts';
import { RefusedAddress } from '../../http/access.ts';
import { bodyLimit } from '../../http/boundedBody.ts';
import { failureCode } from '../../http/connector.ts';
import type { PassedResponse } from './judgeCall.ts';
import { headerPairs, passingHeaders } from './passingHeaders.ts';

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
export async function forward(request: Forwarded, response: ServerResponse): Promise<PassedResponse | Failed> {
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
