import { createHash } from 'node:crypto';

import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { bytesOf, likeRun, longestRun } from '../../generators/notification/withObject.ts';
import { fromPointer, toPointer, withPointer } from '../../generators/json/jsonPointer.ts';
import type { Notification } from '../../generators/notification/notification.ts';
import type { Contract } from '../../spec/contract.ts';
import type { ReceiverKit } from '../kit.ts';
import { createdAt, creationTime } from './creationTime.ts';

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

/** Names of members that hold the id of something, or what else stands for one: the key of a request, the number of an order. */
const idName = /(?:^|[_-])(?:(?:uu)?id|key|number|reference)$|(?:^|[a-z])(?:Id|Uuid|(?:UU)?ID|Key|Number|Reference)$/;

/** A run of letters and digits that is drawn, and no word. */
const drawn = /(?=[A-Za-z]*\d)[A-Za-z\d]{8,}/;

/** Digits that a whole number has at least, so that two are not the same by chance; and at most, so that JSON keeps it. */
const digits = { least: 6, most: 15 } as const;

/**
 * The same notification about other things: each id in it, but for its own, is another one of the same look; what was the same
 * stays the same. An id of which the schema allows no other stays. A receiver that knows notifications by what they are about
 * then has seen none of these before. Where no id is another one, other words and numbers are.
 *
 * @param nonce - decides about the ids
 */
function aboutOthers(contract: Contract, notification: Notification, nonce: string): Notification {
  const others = withOtherIds(contract, notification, nonce);
  if (others.value !== notification.value) return others;
  return changed(contract, notification, nonce, () => true);
}

/** The same with other ids alone. Where no id is another one, it stays as it is. */
export function withOtherIds(contract: Contract, notification: Notification, nonce: string): Notification {
  return changed(contract, notification, nonce, isId);
}

function changed(
  { delivery, events }: Contract,
  { event, value }: Notification,
  nonce: string,
  which: (text: Text) => boolean,
): Notification {
  const { validate } = events.find(({ name }) => name === event) ?? {};
  const { object: _, ...members } = delivery.members;
  const own = new Set(Object.values(members));
  const texts = textsIn(value).filter((text) => !own.has(text.at) && which(text));
  return { event, value: withOthers(value, texts, nonce, (each) => validate === undefined || validate(each)) };
}

/** All of them at once, where that is valid; else each by itself, as far as the schema lets it. */
function withOthers(value: Json, texts: readonly Text[], nonce: string, isValid: (body: Json) => boolean): Json {
  const whole = ways[0];
  const all = texts.reduce((body, each) => withPointer(body, each.at, another(each.text, nonce, whole)), value);
  if (isValid(all)) return all;
  return texts.slice(0, mostTried).reduce((body, { at, text }) => {
    const others = ways.map((way) => another(text, nonce, way)).filter((other) => other !== text);
    return others.map((other) => withPointer(body, at, other)).find(isValid) ?? body;
  }, value);
}

/** What of a run of letters and digits becomes another: all of it, or what a schema is less likely to spell out. */
const ways = [/^[A-Za-z\d]+/, /(?<=^[A-Za-z\d])[A-Za-z\d]+/, /\d+/g] as const;

/** To validate a body for each of thousands of ids takes too long. */
const mostTried = 32;

interface Text {
  /** A JSON Pointer. */
  readonly at: string;
  readonly text: string | number;
}

function textsIn(value: Json, tokens: readonly string[] = []): readonly Text[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => textsIn(item, [...tokens, String(at)]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...tokens, name]));
  const isText = typeof value === 'string' || Number.isSafeInteger(value);
  return isText ? [{ at: toPointer(tokens), text: value as string | number }] : [];
}

function isId({ at, text }: Text): boolean {
  const isNamed = idName.test(fromPointer(at).at(-1) ?? '');
  return isNamed || (typeof text === 'string' && drawn.test(text));
}

function another(text: string | number, nonce: string, way: RegExp): string | number {
  if (typeof text === 'string') {
    const longest = longestRun(text);
    if (longest === undefined) return text;
    const run = likeRun(longest, bytesOf(longest, nonce));
    return text.replace(longest, () => longest.replace(way, (part, at: number) => run.slice(at, at + part.length)));
  }
  const length = Math.min(Math.max(String(Math.abs(text)).length, digits.least), digits.most);
  const rest = '0'.repeat(length - 1);
  const first = (bytesOf(String(text), nonce).readUInt8() % 9) + 1;
  return Number(`${first}${likeRun(rest, bytesOf(rest, `${nonce}${text}`))}`);
}

/** So many hexadecimal digits that nobody has seen before. The ids of a contract may have any form. */
export function freshHex(kit: Pick<ReceiverKit, 'freshId'>, digits: number): string {
  return createHash('sha256').update(kit.freshId()).digest('hex').slice(0, digits);
}

/** A whole number below another, drawn as {@link freshHex} is. */
export function freshNumber(kit: Pick<ReceiverKit, 'freshId'>, below: number): number {
  return Number.parseInt(freshHex(kit, 8), 16) % below;
}
