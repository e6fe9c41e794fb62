import type { ServerResponse } from 'node:http';

import type * as PrismCore from '@stoplight/prism-core';
import type * as PrismHttp from '@stoplight/prism-http';
import type * as Preferences from '@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js';
import type * as Serialize from '@stoplight/prism-http-server/dist/serialize.js';

import { prismInput, type SeenRequest, type PrismOperation, prismPart } from '../prismInput.ts';
import { inAscii } from '../../../generators/spelling/writeJson.ts';
import { defined } from '../../../spec/defined.ts';

const { createLogger } = prismPart<typeof PrismCore>('@stoplight/prism-core');
const { createInstance, ProblemJsonError } = prismPart<typeof PrismHttp>('@stoplight/prism-http');
const { getHttpConfigFromRequest } = prismPart<typeof Preferences>(
  '@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js',
);
const { serialize } = prismPart<typeof Serialize>('@stoplight/prism-http-server/dist/serialize.js');

/** Answers a request as Prism would. */
export type Prism = (request: SeenRequest, response: ServerResponse) => Promise<void>;

const config = {
  isProxy: false,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: false,
  upstreamProxy: undefined,
} as const;

/** Prism over these operations. It understands `Prefer` (`code=404`, `example=...`, `dynamic=true`) and `Accept`. */
export function createPrism(operations: PrismOperation[]): Prism {
  const prism = createInstance(
    { ...config, mock: { dynamic: false } },
    { logger: createLogger('', { level: 'silent' }) },
  );
  return async (request, response) => {
    const input = prismInput(request);
    const preferences = getHttpConfigFromRequest(input);
    if (preferences._tag === 'Left') return refuse(response, preferences.left);
    // Prism writes into what it is given here, so each request gets its own.
    const mock = { dynamic: false, ...defined(preferences.right) };
    const outcome = await prism.request(input, operations, { ...config, mock })();
    if (outcome._tag === 'Left') return refuse(response, outcome.left);
    const { output, validations } = outcome.right;
    send(response, output, [...validations.input, ...validations.output]);
  };
}

interface Output {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The most that fits into a header everywhere. */
const longestHeader = 8000;

function send(response: ServerResponse, output: Output, violations: readonly { readonly message: string }[]): void {
  const { statusCode, headers = {}, body } = output;
  for (const [name, value] of Object.entries(headers)) if (value !== null) response.setHeader(name, value);
  if (violations.length > 0)
    response.setHeader('sl-violations', inAscii(JSON.stringify(violations)).slice(0, longestHeader));
  const type = response.getHeader('content-type');
  const text = serialize(body, typeof type === 'string' ? type : undefined);
  response.writeHead(statusCode);
  response.end(text);
}

function refuse(response: ServerResponse, error: Error): void {
  const problem = ProblemJsonError.toProblemJson(error);
  response.writeHead(problem.status, { 'content-type': 'application/problem+json' });
  response.end(`${JSON.stringify(problem)}\n`);
}
