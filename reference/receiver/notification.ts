import type { Notification } from './records.ts';

/** Fails on bytes that are not UTF-8 instead of replacing them, since other bytes could then stand for the same id. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Longest id taken, in characters; the contract's ids are uuids. */
const longestId = 512;

/**
 * Reads what the receiver needs from a body: JSON with a `data.id` (section 2.2). Everything else in it may be
 * missing, unknown or new.
 *
 * @returns nothing where it is not that
 */
export function readNotification(body: Buffer): Notification | undefined {
  const value = parseJson(body);
  const data = member(value, 'data');
  const id = member(data, 'id');
  if (typeof id !== 'string' || !isUsableId(id)) return undefined;
  const event = member(member(data, 'attributes'), 'event');
  return { id, event: typeof event === 'string' ? event : undefined, value, body };
}

/** The value that the bytes spell, or nothing where they are not JSON in UTF-8 (or exhaust the parser). */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** An own member of an object: nothing inherited is taken for data. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Text that the store keeps apart from any other: lone surrogates would all be stored as one character. */
function isUsableId(id: string): boolean {
  return id !== '' && id.length <= longestId && id.isWellFormed();
}
