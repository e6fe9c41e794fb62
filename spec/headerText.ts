/** Whether a header carries a text as it is (RFC 9110, 5.5). White space around it belongs to nobody. */
export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

/** Whether a text is the name of a header (RFC 9110, 5.1), of a usual length. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/.test(text);
}
