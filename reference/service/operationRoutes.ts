import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Operation } from '../../spec/contract.ts';
import { refuseUnknown, send } from './answering.ts';
import type { Call, Handlers, World } from './call.ts';
import { listOperations } from './listOperations.ts';
import type { Reply } from './records.ts';
import { Refusal, refusal } from './refusal.ts';
import { sampleOperations } from './sampleOperations.ts';
import { trackingOperations } from './trackingOperations.ts';
import { createWebhook, webhookOperations } from './webhookOperations.ts';

const handlers: Handlers = { ...webhookOperations, ...listOperations, ...sampleOperations, ...trackingOperations };

/** Adds a route for each operation of the contract. A call meets, in this order: key, path, method, media type, size, JSON, schema. */
export function addOperations(api: FastifyInstance, world: World, token: string): void {
  const { contract, policies } = world;
  api.addHook('onRequest', async ({ headers, routeOptions }) => {
    const { operationId = '' } = routeOptions.config as { operationId?: string };
    if (!policies.isAuthorized({ authorization: headers.authorization, token, operationId })) {
      const detail = 'The call needs the header "Authorization: Token <API_KEY>", with a valid key.';
      throw refusal(401, 'authorization', detail);
    }
    const problems = policies.headProblems(headers);
    if (problems.length > 0) throw new Refusal(problems);
  });
  api.setNotFoundHandler(refuseUnknown);
  for (const operation of contract.operations) addOperation(api, operation, world);
  for (const path of new Set(contract.operations.map((each) => each.path))) refuseOtherMethods(api, path, world);
}

function addOperation(api: FastifyInstance, operation: Operation, world: World): void {
  const { operationId, method } = operation;
  if (!Object.hasOwn(handlers, operationId))
    throw new Error(`The contract has an operation ${operationId}; write a handler for it.`);
  const takesBody = Object.keys(operation.request).length > 0;
  api.route({
    method,
    url: routePath(operation.path),
    config: { operationId },
    onRequest: async (request) => (takesBody ? checkMediaType(request, operation, world) : undefined),
    handler: async (request, reply) => {
      const { id = '' } = request.params as { id?: string };
      const query = request.query as Readonly<Record<string, unknown>>;
      const body = takesBody ? await parse(request, operation, world) : undefined;
      const call = { path: request.url.split('?')[0]!, id, query, accept: request.headers.accept, body };
      return send(reply, await perform(operation, call, world));
    },
  });
}

function parse({ body }: FastifyRequest, operation: Operation, { policies }: World): unknown {
  return policies.parse((body as Buffer | undefined) ?? Buffer.alloc(0), operation);
}

/** Validates the body, and hands the call to its operation. @throws Refusal */
async function perform(operation: Operation, call: Call, world: World): Promise<Reply> {
  const { policies } = world;
  try {
    const problems = policies.schemaProblems(operation, call.body);
    if (problems.length > 0) throw new Refusal(problems);
    return await handlers[operation.operationId]!(call, world);
  } catch (error) {
    if (error instanceof Refusal) {
      await policies.afterRefusal(operation.operationId, call.body, (body) => createWebhook(body, world));
    }
    throw error;
  }
}

function checkMediaType({ headers }: FastifyRequest, operation: Operation, { policies }: World): void {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (policies.takesMediaType(operation, mediaType)) return;
  const valid = Object.keys(operation.request).join(' and ');
  throw refusal(
    415,
    'media-type',
    `The Content-Type is ${mediaType || 'missing'}. Valid are ${valid}. Send one of them.`,
  );
}

/** Says with which methods a path can be called. */
function refuseOtherMethods(api: FastifyInstance, path: string, { contract }: World): void {
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
