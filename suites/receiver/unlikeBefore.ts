import { createHash } from 'node:crypto';

import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { toPointer, withPointer } from '../../generators/json/jsonPointer.ts';
import type { Notification } from '../../generators/notification/notification.ts';
import type { Contract } from '../../spec/contract.ts';
import type { ReceiverKit } from '../kit.ts';
import { createdAt, creationTime } from './creationTime.ts';
import { freshNumber } from './freshHex.ts';

/** Seconds: what was created within the hour stays as good as new. */
const mostShifted = 900;

/**
 * The notification as of a few minutes before, and about other things. A receiver that drops what it knows by its event, time,
 * content or by an id in it has dropped both of two once a case is tried again, which would confirm nothing.
 */
export function unlikeBefore(kit: ReceiverKit, drawn: Notification): Notification {
  const notification = aboutOthers(kit.contract, drawn, kit.freshId());
  const time = creationTime(kit.contract, notification);
  return time === undefined
    ? notification
    : createdAt(kit.contract, notification, time - freshNumber(kit, mostShifted));
}

/** Names of members that hold the id of something. */
const idName = /(?:^|[_-])(?:uu)?id$|(?:^|[a-z])(?:Id|Uuid|(?:UU)?ID)$/;

/** A run of letters and digits that is drawn, and no word. */
const drawn = /(?=[A-Za-z]*\d)[A-Za-z\d]{8,}/;

/** Digits that a whole number has at least, so that two are not the same by chance; and at most, so that JSON keeps it. */
const digits = { least: 6, most: 15 } as const;

/**
 * The same notification about other things: each id in it, but for its own, is another one of the same look; what was the same
 * stays the same. An id of which the schema allows no other stays. A receiver that knows notifications by what they are about
 * then has seen none of these before.
 *
 * @param nonce - decides about the ids
 */
function aboutOthers(contract: Contract, notification: Notification, nonce: string): Notification {
  const { event, value } = notification;
  const { validate } = contract.events.find(({ name }) => name === event) ?? {};
  const own = new Set(Object.values(contract.delivery.members));
  const ids = idsIn(value).filter(({ at }) => !own.has(at));
  const isValid = (each: Json): boolean => validate === undefined || validate(each);
  const replaced = (body: Json, { at, id }: Id): Json => withPointer(body, at, another(id, nonce));
  const all = ids.reduce(replaced, value);
  if (isValid(all)) return { event, value: all };
  const oneByOne = ids.slice(0, mostTried).reduce((body, id) => {
    const next = replaced(body, id);
    return isValid(next) ? next : body;
  }, value);
  return { event, value: oneByOne };
}

/** To validate a body for each of thousands of ids takes too long. */
const mostTried = 32;

interface Id {
  /** A JSON Pointer. */
  readonly at: string;
  readonly id: string | number;
}

function idsIn(value: Json, tokens: readonly string[] = []): readonly Id[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => idsIn(item, [...tokens, String(at)]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, member]) => idsIn(member, [...tokens, name]));
  const isNamed = idName.test(tokens.at(-1) ?? '');
  const isId = typeof value === 'string' ? isNamed || drawn.test(value) : isNamed && Number.isSafeInteger(value);
  return isId ? [{ at: toPointer(tokens), id: value as string | number }] : [];
}

function another(id: string | number, nonce: string): string | number {
  if (typeof id === 'string') {
    const longest = (id.match(/[A-Za-z\d]+/g) ?? []).toSorted((one, other) => other.length - one.length)[0];
    return longest === undefined ? id : id.replace(longest, () => likeRun(longest, nonce));
  }
  const length = Math.min(Math.max(String(Math.abs(id)).length, digits.least), digits.most);
  return Number(
    `${(bytesOf(String(id), nonce).readUInt8() % 9) + 1}${likeRun('0'.repeat(length - 1), `${nonce}${id}`)}`,
  );
}

/** Each letter and digit becomes another of its kind; letters of a hexadecimal number stay such letters. */
function likeRun(run: string, nonce: string): string {
  const bytes = bytesOf(run, nonce);
  const letters = /^[\da-fA-F]+$/.test(run) ? 6 : 26;
  return Array.from(run, (character, at) => {
    const byte = bytes[at % bytes.length] ?? 0;
    if (/\d/.test(character)) return String(byte % 10);
    return String.fromCharCode((character >= 'a' ? 97 : 65) + (byte % letters));
  }).join('');
}

function bytesOf(text: string, nonce: string): Buffer {
  return createHash('sha512').update(`${nonce} ${text}`).digest();
}
