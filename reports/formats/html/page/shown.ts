import { visible } from '../../../text/visible.ts';

/** Text of any origin, safe to read: what cannot be seen is spelled out; lines stay lines. */
export function shown(text: string): string {
  return visible(text, '\n');
}

/** A sentence that begins with a capital, unless it begins with a name: an id, an option, a path. */
export function sentence(text: string): string {
  const safe = shown(text);
  return /^[a-z]+['’]?[a-z]*(?![\w/.:=-])/.test(safe) ? safe.charAt(0).toUpperCase() + safe.slice(1) : safe;
}
