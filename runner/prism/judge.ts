import type * as Validator from '@stoplight/prism-http/dist/validator/index.js';

import type { Header } from '../../suites/delivery.ts';
import { bodyValue, prismHeaders, prismInput, prismPart } from './prismInput.ts';
import type { MessageBody, PrismOperation, SeenRequest } from './prismInput.ts';
import { mediaTypeIn } from '../../spec/headerText.ts';

const { validateInput, validateOutput, validateSecurity } = prismPart<typeof Validator>(
  '@stoplight/prism-http/dist/validator/index.js',
);

/** What Prism finds wrong with a message. */
export interface Complaint {
  /** `undeclared`: the document has no such media type or status. `invalid`: what it declares does not hold. */
  readonly kind: 'undeclared' | 'invalid';
  /** The part of the message, then the names that lead to the place: `['body', 'data', 'type']`, `['security']`. */
  readonly where: readonly string[];
  /** Prism's own words. */
  readonly what: string;
}

/** An answer as Prism is shown it. */
export interface SeenResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: MessageBody;
}

/**
 * What Prism says of a request to an operation: its security, parameters, headers and body.
 *
 * A body that is announced as JSON and cannot be parsed is a complaint of the kit's own: Prism would wait for ever.
 */
export function judgeRequest(resource: PrismOperation, request: SeenRequest): readonly Complaint[] {
  const element = prismInput(request);
  const found = [validateSecurity({ resource, element }), validateInput({ resource, element })].flatMap(complaints);
  return [...unreadable(request.body), ...trustworthy(found.map(ofRequest), request)];
}

/** What Prism says of an answer of an operation: its status, media type, headers and body. */
export function judgeResponse(resource: PrismOperation, response: SeenResponse): readonly Complaint[] {
  const { status, headers, body } = response;
  const element = { statusCode: status, headers: prismHeaders(headers), body: bodyValue(body) };
  const found = complaints(validateOutput({ resource, element })).map(ofResponse);
  return [...unreadable(body), ...trustworthy(found, response)];
}

type Diagnostic = Extract<ReturnType<typeof Validator.validateInput>, { _tag: 'Left' }>['left'][number];

type Judgement = { readonly _tag: 'Left'; readonly left: readonly Diagnostic[] } | { readonly _tag: 'Right' };

function complaints(judgement: Judgement): readonly Diagnostic[] {
  return judgement._tag === 'Left' ? judgement.left : [];
}

function ofRequest({ path, code, message }: Diagnostic): Complaint {
  if (path !== undefined) return { kind: 'invalid', where: path, what: message };
  if (code === 401) return { kind: 'invalid', where: ['security'], what: message };
  return { kind: code === 415 ? 'undeclared' : 'invalid', where: ['body'], what: message };
}

/** Only what is undeclared comes without a place. */
function ofResponse({ path, message }: Diagnostic): Complaint {
  if (path !== undefined) return { kind: 'invalid', where: path, what: message };
  return { kind: 'undeclared', where: [message.includes('status code') ? 'status' : 'media type'], what: message };
}

function unreadable(body: MessageBody): readonly Complaint[] {
  if (body.kind !== 'unreadable') return [];
  return [{ kind: 'invalid', where: ['body'], what: `It is announced as JSON and cannot be parsed: ${body.why}` }];
}

/**
 * Without what Prism says of a body that it has not understood: one that is not JSON after all, one whose media type
 * is not declared (it takes the first schema instead), and XML (it validates the text itself against the schema).
 */
function trustworthy(
  found: readonly Complaint[],
  { headers, body }: Omit<SeenResponse, 'status'>,
): readonly Complaint[] {
  const isXml = /\/(.+\+)?xml$/.test(mediaTypeIn(headers));
  if (body.kind !== 'unreadable' && !isXml && found.every(({ kind }) => kind === 'invalid')) return found;
  return found.filter(({ kind, where }) => kind === 'undeclared' || where[0] !== 'body');
}
