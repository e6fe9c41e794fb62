import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Reply } from './records.ts';
import { Refusal, refusal } from './refusal.ts';
import { refusalReply } from './reply.ts';

export function send(reply: FastifyReply, { status, headers = {}, body = '' }: Reply): FastifyReply {
  return reply.code(status).headers(headers).send(body);
}

/** The answer to a call that threw. */
export function replyTo(error: Error & { statusCode?: number }): Reply {
  if (error instanceof Refusal) return refusalReply(error.problems);
  const { statusCode: status = 500, message } = error;
  const detail = status < 500 ? message : 'The service failed on this call. It is not your mistake.';
  return refusalReply([{ status, rule: 'http', pointer: '', detail }]);
}

/** @throws Refusal for what is no route of the service */
export function refuseUnknown({ method, url }: FastifyRequest): never {
  const path = url.split('?')[0]!.slice(0, 80);
  throw refusal(404, 'unknown', `There is no ${method} ${path}. The operations are those of the contract, below /v2.`);
}
