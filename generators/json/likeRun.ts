import { createHash } from 'node:crypto';

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
