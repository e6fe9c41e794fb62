import { createHash } from 'node:crypto';

import type { SignatureScheme } from '../../spec/signature.ts';

/** Where digits of a digest are changed: everywhere, or in a half of them. The others stay as they are. */
export const parts = ['all of it', 'the first half', 'the last half', 'the middle'] as const;

type Part = (typeof parts)[number];

/** What was done to the digits of a right digest, as data. */
export type DigestChange =
  /** `at` counts from the end where it is negative. */
  | { readonly kind: 'one character changed'; readonly at: number }
  | { readonly kind: 'the same digits in another order'; readonly where: Part }
  | { readonly kind: 'another digest in a part of it'; readonly where: Part | 'every other digit' }
  /** Without its last digits, or its first ones. */
  | { readonly kind: 'a truncated signature'; readonly missing: number; readonly at?: 'its beginning' }
  /** Where a text ends in C. Without such a byte, all of it is another digest. */
  | { readonly kind: 'another digest behind a byte of zero' }
  /** `at` as above, or every place. The number of characters stays the right one. */
  | { readonly kind: 'a character that is no digit'; readonly character: string; readonly at: number | 'every place' }
  /** What is left of a character where a part of its bits is looked at, or its form is, is the right digit. */
  | {
      readonly kind: 'one digit written otherwise';
      readonly as: 'its highest bit set' | 'its form above the line' | 'another bit turned';
    }
  /** Other digits in base64, and the same ones in hex. */
  | { readonly kind: 'the letters of the signature in the other case' }
  | { readonly kind: 'bytes that are no text' }
  /** So many digits, of which the first is wrong: a multiple of the right number, and some more. */
  | { readonly kind: 'another length'; readonly times: number; readonly more: number };

/** The digest with its digits changed. */
export function changedDigest(scheme: SignatureScheme, digest: string, change: DigestChange): string {
  const tail = ignoredTail(scheme);
  switch (change.kind) {
    case 'one character changed':
      return changedAt(digest, change.at, tail);
    case 'the same digits in another order':
      return inPart(digest, change.where, tail, turned);
    case 'another digest in a part of it': {
      const other = createHash(scheme.algorithm).update(digest).digest(scheme.digest);
      if (change.where !== 'every other digit')
        return inPart(digest, change.where, tail, (_own, at) => other.slice(at));
      return Array.from(digest, (digit, at) => (at % 2 === 0 ? digit : other[at])).join('');
    }
    case 'a truncated signature':
      return change.at === undefined ? digest.slice(0, -Math.max(change.missing, tail)) : digest.slice(change.missing);
    case 'another digest behind a byte of zero':
      return otherBehindZero(Buffer.from(digest, scheme.digest)).toString(scheme.digest);
    case 'a character that is no digit':
      return replacedAt(digest, change, tail);
    case 'one digit written otherwise':
      return writtenOtherwise(digest, change.as);
    case 'the letters of the signature in the other case':
      return inOtherCase(digest.slice(0, digest.length - tail)) + digest.slice(digest.length - tail);
    case 'bytes that are no text':
      return surrogate.repeat(digest.length).slice(0, digest.length);
    case 'another length':
      return wrongDigest(digest, digest.length * change.times + change.more);
  }
}

/** Digits that are not those of a digest. @param length - how many; as many as it has where it is not given */
export function wrongDigest(digest: string, length = digest.length): string {
  return changedAt(digest, 0, 0)
    .repeat(Math.ceil(length / digest.length))
    .slice(0, length);
}

/** How many digits of a digest of this scheme count. */
export function digitsOf(scheme: SignatureScheme): number {
  return createHash(scheme.algorithm).digest(scheme.digest).length - ignoredTail(scheme);
}

/** The last characters of base64 carry bits that decoders ignore; those of hex count like any other. */
function ignoredTail({ digest }: SignatureScheme): number {
  return digest === 'hex' ? 0 : 4;
}

/** The bytes of a lone surrogate, each as one character. */
const surrogate = '\u00ed\u00a0\u0080';

/** @param change - gets the digits of that part and their place, and makes as many of them at least */
function inPart(digest: string, part: Part, tail: number, change: (digits: string, at: number) => string): string {
  const count = digest.length - tail;
  // Whole bytes of hex, and of base64.
  const [half, quarter] = [count - (count >> 1), count >> 2].map((place) => place - (place % 4)) as [number, number];
  const places = { 'all of it': [0, count], 'the first half': [0, half], 'the last half': [half, count] } as const;
  const [from, to] = part === 'the middle' ? [quarter, quarter + half] : places[part];
  const changed = change(digest.slice(from, to), from).slice(0, to - from);
  return digest.slice(0, from) + changed + digest.slice(to);
}

/** The first four of them, two bytes of hex or three of base64, behind the others: their sum stays as well. */
function turned(digits: string): string {
  return digits.slice(4) + digits.slice(0, 4);
}

/** Whether what stands behind a byte of zero is long enough that nobody finds it by chance. */
export function hasEarlyZero(bytes: Buffer): boolean {
  return bytes.subarray(0, bytes.length / 2).includes(0);
}

function otherBehindZero(bytes: Buffer): Buffer {
  const zero = bytes.indexOf(0);
  return Buffer.from(bytes.map((byte, at) => (at <= zero ? byte : byte ^ 0xff)));
}

function inOtherCase(text: string): string {
  return Array.from(text, (digit) => (digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase())).join(
    '',
  );
}

const aboveTheLine: Readonly<Record<string, string>> = {
  1: '\u00b9',
  2: '\u00b2',
  3: '\u00b3',
  a: '\u00aa',
  o: '\u00ba',
};

/** The first digit for which there is another way to write it; those of the first half come last. */
function writtenOtherwise(digest: string, as: Extract<DigestChange, { readonly as: string }>['as']): string {
  const half = digest.length >> 1;
  const places = Array.from(digest, (_digit, at) => (half + at) % digest.length);
  const other = (digit: string): string | undefined => {
    if (as === 'its form above the line') return aboveTheLine[digit.toLowerCase()];
    const bits = digit.charCodeAt(0);
    // Of a zero it would be a space.
    if (as === 'another bit turned') return digit === '0' ? undefined : String.fromCharCode(bits ^ 0x10);
    return String.fromCharCode(bits | 0x80);
  };
  const place = places.find((at) => other(digest.charAt(at)) !== undefined) ?? half;
  return digest.slice(0, place) + (other(digest.charAt(place)) ?? '~') + digest.slice(place + 1);
}

function replacedAt(
  digest: string,
  { character, at }: Extract<DigestChange, { kind: 'a character that is no digit' }>,
  tail: number,
): string {
  if (at === 'every place') return character.repeat(digest.length);
  const place = placeOf(digest, at, tail);
  return digest.slice(0, place) + character + digest.slice(place + 1);
}

function placeOf({ length }: string, at: number, tail: number): number {
  const counted = length - tail;
  return ((at % counted) + counted) % counted;
}

function changedAt(digest: string, at: number, tail: number): string {
  const place = placeOf(digest, at, tail);
  const other = digest[place] === '0' ? '1' : '0';
  return digest.slice(0, place) + other + digest.slice(place + 1);
}
