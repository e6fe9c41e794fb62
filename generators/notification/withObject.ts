import { createHash } from 'node:crypto';

import type { Json } from '../json/json.ts';
import { valueAt, withPointer } from '../json/jsonPointer.ts';

/** The body about another object, the same one however often it is asked for. What has no text there stays as it is. */
export function withObject(
  value: Json,
  pointer: string,
  by: { readonly id: string; readonly about: string | undefined },
): Json {
  const object = valueAt(value, pointer);
  const run = typeof object === 'string' ? longestRun(object) : undefined;
  if (typeof object !== 'string' || run === undefined) return value;
  const own = object.replace(run, () => likeRun(run, bytesOf('object', by.id), 6));
  return withPointer(value, pointer, by.about ?? own);
}

/** The longest run of letters and digits in a text: what is drawn of an id such as `cs_test_a1b2c3`. */
export function longestRun(text: string): string | undefined {
  return (text.match(/[A-Za-z\d]+/g) ?? []).toSorted((one, other) => other.length - one.length)[0];
}

/**
 * A run of the same look: each letter and digit becomes another of its kind, letters of a hexadecimal number such letters.
 *
 * @param bytes - decide about it
 * @param letters - so many letters of each case are taken. Default: as many as the look allows
 */
export function likeRun(run: string, bytes: Buffer, letters = /^[\da-fA-F]+$/.test(run) ? 6 : 26): string {
  return Array.from(run, (character, at) => {
    const byte = bytes[at % bytes.length] ?? 0;
    if (/\d/.test(character)) return String(byte % 10);
    return String.fromCharCode((character >= 'a' ? 97 : 65) + (byte % letters));
  }).join('');
}

/** Bytes that a text and a nonce make. */
export function bytesOf(text: string, nonce: string): Buffer {
  return createHash('sha512').update(`${nonce} ${text}`).digest();
}
