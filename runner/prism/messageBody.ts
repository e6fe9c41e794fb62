import { parseJson } from '../../spec/parseJson.ts';
import type { Header } from '../../suites/delivery.ts';

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

/** The value of the first header of that name, in any casing. */
export function headerValue(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** The media type that the headers announce, in lower case and without parameters; empty where they announce none. */
export function mediaTypeOf(headers: readonly Header[]): string {
  return (headerValue(headers, 'content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** Whether bodies of a media type are JSON: `application/json`, or anything with the suffix `+json` (RFC 6839). */
export function isJsonType(mediaType: string): boolean {
  return /\/(.+\+)?json$/.test(mediaType);
}
