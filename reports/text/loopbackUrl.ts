/**
 * Whether a text is the address of something on this machine, without a name that anybody resolves, and without a variable
 * for something secret.
 */
export function isLoopbackUrl(text: string): boolean {
  const url = /^https?:\/\//i.test(text) && !text.includes('$') ? URL.parse(text) : null;
  return url !== null && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
