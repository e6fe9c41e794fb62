import fc from 'fast-check';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type * as Generator from '@stoplight/prism-http/dist/mocker/generator/JSONSchema.js';

import type { Contract, Operation } from '../../../spec/contract.ts';
import { closeServer, listen, boundedBody, bodyLimit, sendProblem } from '../../http/listen.ts';
import type { ListenOptions, Problem } from '../../http/listen.ts';
import { basePath, below, prismOperations, prismWebhooks } from '../prismOperations.ts';
import { isJsonType, messageBody, type PrismOperation, type SeenRequest, prismPart } from '../prismInput.ts';
import { createPrism } from './prism.ts';
import { createReceiver } from './receiver.ts';
import { authorizationWith } from '../../../spec/serviceTerms.ts';
import { newId } from '../../receiver/freshDelivery.ts';
import { namingHeaders } from '../../../generators/notification/signed.ts';
import { shellWord } from '../../../reports/curl/shell.ts';
import { notification, schemaArbitrary, withPointer, type Json } from '../../../generators/index.ts';
import { schemaWalk } from '../../../generators/schema/schemaReference.ts';
import { stringsOf } from '../../../generators/contracts/index.ts';
import type { StringSource } from '../../../generators/schema/schemaContext.ts';
import { messageOf } from '../../../spec/messageOf.ts';
import { mediaTypeIn } from '../../../spec/headerText.ts';

const { generateStatic } = prismPart<typeof Generator>('@stoplight/prism-http/dist/mocker/generator/JSONSchema.js');

/** A static mock that runs. */
export interface RunningMock {
  /** The base address of the API: `http://127.0.0.1:4010/v2`. */
  readonly url: string;
  /** Whether the contract describes an API. */
  readonly hasApi: boolean;
  /** Whether Prism has read the notifications, too. */
  readonly hasWebhooks: boolean;
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
  const trials = mockTrials(contract, { ...addresses, operations, webhooks, strings: stringsOf(contract) });
  return {
    ...addresses,
    hasApi: operations.length > 0,
    hasWebhooks: webhooks.length > 0,
    trials,
    close: () => closeServer(server),
  };
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
  const body = messageBody(bytes.toString('utf8'), mediaTypeIn(headers));
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
  const detail = `Prism cannot read this: ${messageOf(error)}. Send a request that it can read.`;
  return { status: 400, title: 'Unreadable', detail };
}

function notHere(path: string, base: string): Problem {
  const detail = `Nothing is at ${path}. The API is below ${base}/, and ${receiverPath} takes notifications.`;
  return { status: 404, title: 'Not found', detail };
}

/** Where a mock listens, and what Prism has read. */
interface Mocked {
  readonly url: string;
  readonly receiver: string;
  readonly operations: readonly PrismOperation[];
  readonly webhooks: readonly PrismOperation[];
  readonly strings: StringSource;
}

/** Command lines to try a mock with: a call without a body, one with a body, and a notification. */
function mockTrials(contract: Contract, mocked: Mocked): readonly string[] {
  const plain = contract.operations.filter(({ path }) => !path.includes('{'));
  const reading = plain.find(({ request }) => Object.keys(request).length === 0);
  const writing = plain.find(({ request }) => Object.keys(request).some(isJsonType));
  const [event] = contract.events;
  return [
    ...(reading === undefined ? [] : [curl(mocked.url + reading.path, keyOf(contract, reading))]),
    ...(writing === undefined
      ? []
      : [curl(mocked.url + writing.path, keyOf(contract, writing), sample(writing, mocked), writing.method)]),
    notified(contract, event, mocked),
  ];
}

type Body = readonly [mediaType: string, value: unknown];

function sample({ operationId, request }: Operation, { operations, strings }: Mocked): Body | undefined {
  const [mediaType, content] = Object.entries(request).find(([type]) => isJsonType(type)) ?? [];
  const operation = operations.find(({ iid }) => iid === operationId);
  if (mediaType === undefined || content === undefined || operation === undefined) return undefined;
  return [mediaType, made(operation, mediaType, { ...content, strings })];
}

/** A notification, with the headers that say what it is. */
function notified(contract: Contract, event: Contract['events'][number], mocked: Mocked): string {
  const { mediaType, method } = contract.delivery;
  const operation = mocked.webhooks.find(({ iid }) => iid === event.operationId);
  const drawn = (): unknown => fc.sample(notification(contract, event), { seed: 1, numRuns: 1 })[0]?.value;
  const value = operation === undefined ? drawn() : made(operation, mediaType, { ...event, strings: mocked.strings });
  const headers = namingHeaders(contract, { id: newId(contract, 1), event: event.name });
  return curl(
    mocked.receiver,
    headers.flatMap(([name, each]) => ['-H', `${name}: ${each}`]),
    [mediaType, value],
    method,
  );
}

function made(operation: PrismOperation, mediaType: string, content: Parameters<typeof validStatic>[2]): unknown {
  const offered = operation.request?.body?.contents?.find((each) => each.mediaType === mediaType);
  return validStatic(operation, offered ?? {}, content);
}

function keyOf({ service }: Contract, { secured }: Operation): readonly string[] {
  if (!secured || service === undefined) return [];
  return ['-H', `${service.authorization.header}: ${authorizationWith(service, 'any-key')}`];
}

/** @param method - of what is sent with a body. Default: POST, as curl sends it */
function curl(url: string, key: readonly string[], body?: Body, method = 'POST'): string {
  const by = body === undefined || method === 'POST' ? [] : ['-X', method];
  const data = body === undefined ? [] : ['-H', `Content-Type: ${body[0]}`, '-d', JSON.stringify(body[1])];
  return ['curl', '-i', ...by, ...key, ...data, url].map(shellWord).join(' ');
}

type Content = Operation['request'][string] & { readonly strings: StringSource };
type Response = PrismOperation['responses'][number];
type MediaType = NonNullable<Response['contents']>[number];

/**
 * The same operations, with an example wherever the answer that Prism makes up does not keep the contract (it writes
 * `"string"` where a pattern asks for more). Always the same one.
 */
function withValidAnswers(operations: readonly PrismOperation[], contract: Contract): PrismOperation[] {
  const strings = stringsOf(contract);
  return operations.map((operation) => {
    const own = contract.operations.find(({ operationId }) => operationId === operation.iid);
    const responses = operation.responses.map((response) => ({
      ...response,
      contents:
        response.contents?.map((each) => exemplified(operation, each, own?.responses[response.code], strings)) ?? [],
    }));
    return { ...operation, responses };
  });
}

function exemplified(
  operation: PrismOperation,
  offered: MediaType,
  known: Operation['request'] | undefined,
  strings: StringSource,
): MediaType {
  const content = known?.[offered.mediaType];
  if (content === undefined || (offered.examples ?? []).length > 0) return offered;
  const value = validStatic(operation, offered, { ...content, strings });
  return { ...offered, examples: [{ id: `${operation.id}-valid`, key: 'valid', value }] };
}

/** What Prism makes up for a schema, corrected where the contract refuses it. */
function validStatic(operation: PrismOperation, { schema }: Pick<MediaType, 'schema'>, content: Content): Json {
  const made = schema === undefined ? undefined : generateStatic(operation, schema);
  const draft = made?._tag === 'Right' ? (made.right as Json) : null;
  const corrected = correct(draft, content);
  return content.validate(corrected) ? corrected : first(content);
}

/** Replaces each place that the schema refuses by something that its own part of the schema takes. */
function correct(draft: Json, { schema, validate, strings }: Content): Json {
  if (validate(draft)) return draft;
  const refused = new Set(validate.errors?.map(({ instancePath }) => instancePath));
  const visits = schemaWalk(draft, schema).filter(({ at }) => refused.has(at));
  return visits.reduce<Json>(
    (value, visit) => withPointer(value, visit.at, first({ schema: visit.schema, strings }, visit.at)),
    draft,
  );
}

function first({ schema, strings }: Pick<Content, 'schema' | 'strings'>, place?: string): Json {
  const placed: StringSource = (part, at) => strings(part, place === undefined ? at : place + (at ?? ''));
  return fc.sample(schemaArbitrary(schema, { strings: placed }), { seed: 1, numRuns: 1 })[0] ?? null;
}
