import type { IncomingMessage } from 'node:http';

/** What the receiver understood of a body: enough to route, to deduplicate and to store it. */
export interface Notification {
  /** `data.id` (section 2.2): the same in every redelivery. */
  readonly id: string;
  /** `data.attributes.event`, where it is text. */
  readonly event: string | undefined;
  /** The whole body, parsed. */
  readonly value: unknown;
  /** The whole body as it arrived. */
  readonly body: Buffer;
}

/** A delivery of which every byte has arrived. */
export interface ArrivedDelivery {
  /** Request line and headers; its stream has been read. */
  readonly head: IncomingMessage;
  /** The raw bytes, which are what was signed. */
  readonly body: Buffer;
  /** The value of the signature header, where there is one. */
  readonly signature: string | undefined;
  /** Each may have signed it: more than one while a secret is being replaced. */
  readonly secrets: readonly string[];
  /** The sender addresses that are let in; nothing where all are. */
  readonly published: readonly string[] | undefined;
}

/** What the header of a signature with a timestamp holds: `t=1700000000,v1=5257a8...`. */
export interface StampedSignature {
  /** As it stands there, for that is what was signed. */
  readonly timestamp: string;
  /** More than one while a secret is being replaced. */
  readonly signatures: readonly string[];
}

/** Whether the store has just taken the notification or had it already. */
export type Acceptance = 'new' | 'duplicate';

/** How a delivery ended. `forged`: not signed by any secret; `unreadable`: not JSON, or without an id. */
export type Outcome = Acceptance | 'forged' | 'unreadable';

/** An HTTP answer. Without a `body` it is empty. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

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
