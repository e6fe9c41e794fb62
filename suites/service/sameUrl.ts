/** Whether two texts are the same URL, however it is written: case of the host, default port, percent-escapes. */
export function sameUrl(one: unknown, other: string): boolean {
  if (one === other) return true;
  return typeof one === 'string' && URL.canParse(one) && URL.canParse(other) && normal(one) === normal(other);
}

function normal(text: string): string {
  return new URL(text).href.replaceAll(/%[0-9a-f]{2}/gi, unescaped);
}

/** What may stand without its escape means the same with it (RFC 3986, 6.2.2.2); other escapes differ in case only. */
function unescaped(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[A-Za-z0-9\-._~]/.test(character) ? character : escape.toUpperCase();
}
