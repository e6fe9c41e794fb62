import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';

import type { Contract } from '../../../spec/contract.ts';
import { basePath, below } from '../../http/basePath.ts';
import { boundedBody, bodyLimit } from '../../http/boundedBody.ts';
import { closeServer, listen } from '../../http/listen.ts';
import type { ListenOptions } from '../../http/listen.ts';
import { mediaTypeOf } from '../mediaType.ts';
import { messageBody } from '../messageBody.ts';
import type { PrismOperation } from '../prismOperation.ts';
import type { SeenRequest } from '../prismInput.ts';
import { prismOperations, prismWebhooks } from '../prismOperations.ts';
import { type Problem, sendProblem } from '../../engine/problem.ts';
import { mockTrials } from './mockTrials.ts';
import { createPrism } from './prism.ts';
import { createReceiver } from './receiver.ts';
import { withValidAnswers } from './validAnswers.ts';

/** A static mock that runs. */
export interface RunningMock {
  /** The base address of the API: `http://127.0.0.1:4010/v2`. */
  readonly url: string;
  /** Where notifications are taken, of every event. */
  readonly receiver: string;
  /** Command lines to try it with. */
  readonly trials: readonly string[];
  close(): Promise<void>;
}

/** Where notifications are taken. It stands beside the API, and goes first where the API begins at the root. */
const receiverPath = '/receiver';

/**
 * Lets Prism serve a contract: each operation answers what is valid and always the same; what the contract does not
 * allow is refused. At one address more it takes notifications, and refuses those that are none.
 *
 * What Prism cannot bear is answered here, before it: bodies that are not the JSON that they are announced as, and
 * bodies of more than 16 MiB.
 *
 * @throws UsageError where it cannot listen there, KitError where Prism cannot read the contract
 */
export async function startMock(contract: Contract, options: ListenOptions): Promise<RunningMock> {
  const operations = withValidAnswers(await prismOperations(contract), contract);
  const webhooks = await prismWebhooks(contract);
  const server = createServer({ requestTimeout: 30_000 }, listener(contract, operations, webhooks));
  const origin = await listen(server, options);
  const addresses = { url: origin + basePath(contract), receiver: origin + receiverPath };
  const trials = mockTrials(contract, { ...addresses, operations, webhooks });
  return { ...addresses, trials, close: () => closeServer(server) };
}

function listener(
  contract: Contract,
  operations: PrismOperation[],
  webhooks: readonly PrismOperation[],
): RequestListener {
  const api = createPrism(operations);
  const receive = createReceiver(contract, webhooks);
  const base = basePath(contract);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = URL.parse(`http://localhost${request.url}`) ?? {
      pathname: String(request.url),
      search: '',
    };
    const isReceiver = pathname === receiverPath;
    const path = isReceiver ? pathname : below(base, pathname);
    if (path === undefined) return sendProblem(response, notHere(pathname, base));
    const seen = await readRequest(request, path + search);
    if (seen === undefined) return;
    if ('status' in seen) return sendProblem(response, seen);
    await (isReceiver ? receive : api)(seen, response).catch((error: unknown) => sendProblem(response, failed(error)));
  };
  return (request, response) => void handle(request, response);
}

/** @returns nothing where the connection broke */
async function readRequest(request: IncomingMessage, path: string): Promise<SeenRequest | Problem | undefined> {
  const bytes = await boundedBody(request);
  if (bytes === 'broken') return undefined;
  if (bytes === 'too long') return tooLarge;
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => [name, value] as const),
  );
  const body = messageBody(bytes.toString('utf8'), mediaTypeOf(headers));
  if (body.kind !== 'unreadable') return { method: request.method ?? 'GET', path, headers, body };
  return {
    status: 400,
    title: 'Not JSON',
    detail: `The body is announced as JSON and cannot be parsed: ${body.why}. Send JSON, or another Content-Type.`,
  };
}

const tooLarge: Problem = {
  status: 413,
  title: 'Too large',
  detail: `The body has more than ${bodyLimit} bytes. Send a smaller one.`,
};

/** Prism throws at what it cannot parse, such as a Content-Type that is none. */
function failed(error: unknown): Problem {
  const detail = `Prism cannot read this: ${error instanceof Error ? error.message : String(error)}. Send a request that it can read.`;
  return { status: 400, title: 'Unreadable', detail };
}

function notHere(path: string, base: string): Problem {
  const detail = `Nothing is at ${path}. The API is below ${base}/, and ${receiverPath} takes notifications.`;
  return { status: 404, title: 'Not found', detail };
}
