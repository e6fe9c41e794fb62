import { createRequire } from 'node:module';

import type { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import type { validateInput } from '@stoplight/prism-http/dist/validator/index.js';

import { parseJson } from '../../spec/parseJson.ts';
import type { Header } from '../../suites/delivery.ts';
import { requirePackage } from '../options/packages.ts';

/** A body as a validator takes it. */
export type MessageBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  /** It is announced as JSON and cannot be parsed; `why` is the parser's complaint. */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Anything but JSON, as it came. */
  | { readonly kind: 'text'; readonly text: string };

/** Reads a body by its media type (lower case, no parameters). Without one it is tried as JSON, then taken as text. */
export function messageBody(text: string, mediaType: string): MessageBody {
  if (text === '') return { kind: 'empty' };
  if (mediaType !== '' && !isJsonType(mediaType)) return { kind: 'text', text };
  try {
    return { kind: 'json', value: parseJson(text) };
  } catch (error) {
    return mediaType === '' ? { kind: 'text', text } : { kind: 'unreadable', why: (error as Error).message };
  }
}

/** What Prism is given for it. */
export function bodyValue(body: MessageBody): unknown {
  if (body.kind === 'json') return body.value;
  return body.kind === 'text' ? body.text : undefined;
}

/** Whether bodies of a media type are JSON: `application/json`, or anything with the suffix `+json` (RFC 6839). */
export function isJsonType(mediaType: string): boolean {
  return /\/(.+\+)?json$/.test(mediaType);
}

/** A request as Prism is shown it. */
export interface SeenRequest {
  /** In any case of letters. */
  readonly method: string;
  /** Below the base address, query included. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: MessageBody;
}

type PrismInput = Parameters<typeof validateInput>[0]['element'];

/** The same in Prism's own form. Prism may write into it. */
export function prismInput({ method, path, headers, body }: SeenRequest): PrismInput {
  const { pathname, searchParams } = new URL(`http://localhost${path}`);
  return {
    method: method.toLowerCase() as PrismInput['method'],
    url: { path: pathname, query: queryOf(searchParams) },
    // Prism looks at the media type only where the length is known, and then only whether it is 0.
    headers: { ...prismHeaders(headers), 'content-length': body.kind === 'empty' ? '0' : '1' },
    body: bodyValue(body),
  };
}

/** Headers by name in lower case; those of one name are put together with commas (RFC 9110, 5.3). */
export function prismHeaders(headers: readonly Header[]): Record<string, string> {
  const grouped = Object.groupBy(headers, ([name]) => name.toLowerCase());
  const entries = Object.entries(grouped).map(([name, all = []]) => [name, all.map(([, value]) => value).join(', ')]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function queryOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const entries = [...new Set(parameters.keys())].map((name) => {
    const [first = '', ...others] = parameters.getAll(name);
    return [name, others.length === 0 ? first : [first, ...others]] as const;
  });
  return Object.fromEntries(entries);
}

/** An operation as Prism has read it. */
export type PrismOperation = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

/**
 * A module of Prism, as its own program finds it: who installs `@stoplight/prism-cli` need not name its parts.
 *
 * @throws UsageError where Prism is not installed
 */
export function prismPart<Part>(name: string): Part {
  requirePackage('@stoplight/prism-cli', 'this command');
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('@stoplight/prism-cli/package.json'))(name) as Part;
}

/** The version of Prism that judges and serves here. */
export function prismVersion(): string {
  return prismPart<{ readonly version: string }>('@stoplight/prism-cli/package.json').version;
}
