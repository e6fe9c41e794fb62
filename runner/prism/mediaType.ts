import type { Header } from '../../suites/delivery.ts';

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
