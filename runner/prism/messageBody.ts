import { isJsonType } from './mediaType.ts';

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
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch (error) {
    return mediaType === '' ? { kind: 'text', text } : { kind: 'unreadable', why: (error as Error).message };
  }
}

/** What Prism is given for it. */
export function bodyValue(body: MessageBody): unknown {
  if (body.kind === 'json') return body.value;
  return body.kind === 'text' ? body.text : undefined;
}
