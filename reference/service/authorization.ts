import { createHash, timingSafeEqual } from 'node:crypto';

import type { Caller } from './policies.ts';

/** `Authorization: Token <API_KEY>` (section 5.1). The time that it takes tells nothing of the key. */
export function isAuthorized({ authorization, token }: Caller): boolean {
  const [, given] = /^token +(\S+)$/i.exec(authorization ?? '') ?? [];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
