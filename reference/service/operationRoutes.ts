import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Operation } from '../../spec/contract.ts';
import { refuseUnknown, send, Refusal, refusal, jsonReply, member } from './reply.ts';
import type { Call, Handlers, ServiceParts, Handler } from './createServiceParts.ts';
import type { Reply, ListName, Problem } from './records.ts';
import { createWebhook, storeUpdate, webhookOperations } from './webhookOperations.ts';
import type { ListPolicies, Page, TrackingOrder } from './policies.ts';
import { trackingRequestResource } from './scene.ts';

/** Sections 2.3 and 4.3: from a number to its records. */
const trackingOperations: Handlers = {
  createTrackingRequest: async ({ body }, { policies, voyages }) => {
    const order = trackingOrder(body);
    const problems = policies.trackingProblems(order);
    if (problems.length > 0) throw new Refusal(problems);
    const request = await voyages.begin(order);
    return jsonReply(201, { data: trackingRequestResource(request, policies.timestamp) });
  },
  inferTrackingNumber: ({ body }, { policies }) => {
    const number = member(body, 'number') as string;
    const scac = policies.inferScac(number);
    if (scac !== undefined) return jsonReply(200, { data: { number, scac } });
    throw refusal(
      422,
      'unknown-number',
      `No shipping line is known for ${JSON.stringify(number.slice(0, 40))}. Valid is a number that begins with a line's SCAC, or a container's.`,
    );
  },
};

function trackingOrder(body: unknown): TrackingOrder {
  const attribute = (name: string) => member(body, 'data', 'attributes', name) as string;
  return { type: attribute('request_type'), number: attribute('request_number'), scac: attribute('scac') };
}

/** The lists (section 4.3), the newest first, page by page; what the envelope holds fills GAP-8. */
const listOperations: Handlers = {
  listWebhooks: listing('webhooks'),
  listWebhookNotifications: listing('webhook_notifications'),
  listTrackingRequests: listing('tracking_requests'),
  listShipments: listing('shipments'),
  listContainers: listing('containers'),
  listWebhookIps: (_call, { policies }) => jsonReply(200, { data: policies.senderAddresses() }),
};

function listing(list: ListName): Handler {
  return ({ path, query }, { lists, policies }) => {
    const page = pageOf(query, policies.pageSize);
    const { items, total } = lists.read(list, page);
    const pages = Math.ceil(total / page.size);
    const next = policies.nextPage(page, pages, total);
    const links = { self: linkTo(path, page), ...(next && { next: linkTo(path, next) }) };
    const meta = { total, pages, page: page.number, size: page.size };
    return jsonReply(200, { data: items, links, meta });
  };
}

/** Section 4.2. */
const sampleOperations: Handlers = {
  triggerWebhook: async ({ body }, { policies, samples }) => {
    const order = policies.sampleOrder(body);
    const problems = policies.urlProblems(order.url, '/url');
    if (problems.length > 0) throw new Refusal(problems);
    await samples.send(order);
    const message = `A sample of ${order.event} is on its way to ${order.url}.`;
    return jsonReply(202, { message }, 'application/json; charset=utf-8');
  },
};

const handlers: Handlers = { ...webhookOperations, ...listOperations, ...sampleOperations, ...trackingOperations };

/** Adds a route for each operation of the contract. A call meets, in this order: key, path, method, media type, size, JSON, schema. */
export function addOperations(api: FastifyInstance, parts: ServiceParts, token: string): void {
  const { contract, policies } = parts;
  const checkKey = (request: FastifyRequest): void => {
    const { operationId = '' } = request.routeOptions.config as { operationId?: string };
    const [path] = request.url.split('?', 1) as [string];
    const query = request.url.slice(path.length);
    const { authorization } = request.headers;
    if (policies.isAuthorized({ authorization, token, operationId, path, query })) return;
    const detail = 'The call needs the header "Authorization: Token <API_KEY>", with a valid key.';
    throw refusal(401, 'authorization', detail);
  };
  api.addHook('onRequest', async (request) => {
    const { headers, routeOptions } = request;
    const { operationId = '' } = routeOptions.config as { operationId?: string };
    if (!policies.isDoneFirst(operationId)) checkKey(request);
    const problems = policies.headProblems(headers);
    if (problems.length > 0) throw new Refusal(problems);
  });
  api.setNotFoundHandler(refuseUnknown);
  for (const operation of contract.operations) addOperation(api, operation, parts, checkKey);
  for (const path of new Set(contract.operations.map((each) => each.path))) refuseOtherMethods(api, path, parts);
}

/** @param checkKey - throws where the key of a call is not right */
function addOperation(
  api: FastifyInstance,
  operation: Operation,
  parts: ServiceParts,
  checkKey: (request: FastifyRequest) => void,
): void {
  const { operationId, method } = operation;
  if (!Object.hasOwn(handlers, operationId))
    throw new Error(`The contract has an operation ${operationId}; write a handler for it.`);
  const takesBody = Object.keys(operation.request).length > 0;
  api.route({
    method,
    url: routePath(operation.path),
    config: { operationId },
    onRequest: async (request) => (takesBody ? checkMediaType(request, operation, parts) : undefined),
    handler: async (request, reply) => {
      const { id = '' } = request.params as { id?: string };
      const query = request.query as Readonly<Record<string, unknown>>;
      const body = takesBody ? await parse(request, operation, parts) : undefined;
      const { accept, 'content-type': contentType = '' } = request.headers;
      const call = { path: request.url.split('?')[0]!, id, query, accept, contentType, body };
      const done = await perform(operation, call, parts);
      if (parts.policies.isDoneFirst(operationId)) checkKey(request);
      return send(reply, done);
    },
  });
}

function parse({ body }: FastifyRequest, operation: Operation, { policies }: ServiceParts): unknown {
  return policies.parse((body as Buffer | undefined) ?? Buffer.alloc(0), operation);
}

/** Validates the body, and hands the call to its operation. @throws Refusal */
async function perform(operation: Operation, call: Call, parts: ServiceParts): Promise<Reply> {
  const { policies } = parts;
  try {
    const problems = policies.schemaProblems(operation, call.body);
    if (problems.length > 0) throw new Refusal(problems);
    return await handlers[operation.operationId]!(call, parts);
  } catch (error) {
    if (error instanceof Refusal) {
      const { operationId } = operation;
      await policies.afterRefusal(operationId, call.body, (body) =>
        operationId === 'updateWebhook' ? storeUpdate({ ...call, body }, parts) : createWebhook(body, parts),
      );
    }
    throw error;
  }
}

function checkMediaType({ headers }: FastifyRequest, operation: Operation, { policies }: ServiceParts): void {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (policies.takesMediaType(operation, mediaType)) return;
  const valid = Object.keys(operation.request).join(' or ');
  throw refusal(415, 'media-type', `The Content-Type is ${mediaType || 'missing'}. Send ${valid}.`);
}

/** Says with which methods a path can be called. */
function refuseOtherMethods(api: FastifyInstance, path: string, { contract }: ServiceParts): void {
  const allowed = contract.operations.filter((each) => each.path === path).map(({ method }) => method);
  const taken = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed;
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => !taken.includes(method),
  );
  api.route({
    method: others,
    url: routePath(path),
    onRequest: async ({ method }, reply) => {
      reply.header('allow', taken.join(', '));
      throw refusal(405, 'method', `${method} is no operation of ${path}. Valid are ${taken.join(', ')}.`);
    },
    handler: async () => undefined,
  });
}

function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * The page that a call asks for: `page[number]` from 1, `page[size]`.
 *
 * @throws Refusal (400) for anything that is no whole number from 1 on
 */
function pageOf(query: Call['query'], { usual, most }: ListPolicies['pageSize']): Page {
  return { number: countIn(query, 'page[number]', 1), size: Math.min(countIn(query, 'page[size]', usual), most) };
}

/** Where a page is found: the address below the origin. */
function linkTo(path: string, { number, size }: Page): string {
  const query = new URLSearchParams({ 'page[number]': String(number), 'page[size]': String(size) });
  return `${path}?${query.toString()}`;
}

function countIn(query: Call['query'], parameter: string, byDefault: number): number {
  const given = query[parameter];
  if (given === undefined) return byDefault;
  if (typeof given === 'string' && /^[1-9]\d{0,8}$/.test(given)) return Number(given);
  const detail = `${parameter} is ${JSON.stringify(given).slice(0, 40)}; valid is a whole number from 1 on, once.`;
  const problem: Problem = { status: 400, rule: 'page', pointer: '', parameter, detail };
  throw new Refusal([problem]);
}
