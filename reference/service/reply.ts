import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Problem, Reply } from './records.ts';

/** JSON is UTF-8 (RFC 8259, 8.1): other bytes are an error, not something to be guessed at. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a call's body.
 *
 * @throws Refusal (400) where it is no JSON in UTF-8
 */
export function parseBody(body: Buffer): unknown {
  if (body.length === 0) throw refusal(400, 'json', 'The body is empty. Send JSON.');
  try {
    return JSON.parse(utf8.decode(body)) as unknown;
  } catch (cause) {
    const [why] = (cause as Error).message.split('"');
    throw refusal(400, 'json', `The body is not JSON in UTF-8 (${why?.trim()}). Send valid JSON.`, { cause });
  }
}

/** An own member below a value, by the names on the way to it: nothing inherited is taken for data. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce(
    (found, name) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? at(found, name) : undefined,
    value,
  );
}

function at(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** What JSON:API documents are sent as. */
const jsonApi = 'application/vnd.api+json';

/** An answer in JSON. @param mediaType - default: that of JSON:API */
export function jsonReply(status: number, value: unknown, mediaType: string = jsonApi): Reply {
  return { status, headers: { 'content-type': mediaType }, body: JSON.stringify(value) };
}

/** A refusal in the form of JSON:API. Its status is that of the first problem. */
function refusalReply(problems: readonly Problem[]): Reply {
  const errors = problems.map(({ status, rule, pointer, parameter, detail }) => ({
    status: String(status),
    code: rule,
    title: titles[status] ?? 'Refused',
    detail,
    ...(parameter === undefined ? (pointer === '' ? {} : { source: { pointer } }) : { source: { parameter } }),
  }));
  return jsonReply(problems[0]?.status ?? 400, { errors });
}

const titles: Readonly<Record<number, string>> = {
  400: 'The request cannot be read',
  401: 'The key is missing or wrong',
  403: 'Not from here',
  404: 'There is no such thing',
  405: 'The method is not allowed',
  409: 'The request contradicts itself',
  413: 'The body is too large',
  415: 'The media type is not taken',
  422: 'The request is invalid',
  429: 'Too many at once',
  500: 'The service failed',
};

/** A call that is refused, and why. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], options?: ErrorOptions) {
    super(problems.map(({ detail }) => detail).join(' '), options);
    this.problems = problems;
  }
}

/** A refusal for one reason that lies in no part of the body. */
export function refusal(status: number, rule: string, detail: string, options?: ErrorOptions): Refusal {
  return new Refusal([{ status, rule, pointer: '', detail }], options);
}

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
  throw refusal(
    404,
    'unknown',
    `There is no ${method} ${path}. There are the operations of the contract, below /v2, and POST /emit.`,
  );
}
