/** Whether a header carries a text as it is (RFC 9110, 5.5). White space around it belongs to nobody. */
export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

/** Whether a text is the name of a header (RFC 9110, 5.1), of a usual length. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(text);
}

/** Whether two names are of the same header: their case says nothing (RFC 9110, 5.1). */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The value of the first header of a name; nothing where there is none. */
export function headerValue(headers: readonly (readonly [string, string])[], name: string): string | undefined {
  return headers.find(([each]) => isSameName(each, name))?.[1];
}

/** The media type that headers announce, in lower case and without parameters; empty where they announce none. */
export function mediaTypeIn(headers: readonly (readonly [string, string])[]): string {
  return (headerValue(headers, 'Content-Type') ?? '').split(';', 1).join('').trim().toLowerCase();
}
