import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { member } from './reply.ts';

/** A call of the API that was answered, for those who look on. */
export interface HeardCall {
  /** Empty for what is no operation of the contract. */
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** The ids of the resources in the answer. */
  readonly ids: readonly string[];
}

/** Reports each call once its answer has left. */
export function hearCalls(api: FastifyInstance, onCall: (call: HeardCall) => void): void {
  const shown = new WeakMap<FastifyReply, readonly string[]>();
  api.addHook('onSend', async (_request, reply, payload) => {
    shown.set(reply, typeof payload === 'string' ? idsIn(payload) : []);
  });
  api.addHook('onResponse', async (request: FastifyRequest, reply) => {
    const { operationId = '' } = request.routeOptions.config as { operationId?: string };
    const { method, url } = request;
    onCall({ operationId, method, path: url, status: reply.statusCode, ids: shown.get(reply) ?? [] });
  });
}

function idsIn(payload: string): readonly string[] {
  if (!payload.startsWith('{')) return [];
  const resources = [member(JSON.parse(payload), 'data')].flat();
  return resources.map((each) => member(each, 'id')).filter((id) => typeof id === 'string');
}
