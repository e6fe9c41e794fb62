import { createHash } from 'node:crypto';

/** A secret and what else is known of its webhook: texts that a careless service might have made it from. */
export interface GivenSecret {
  readonly secret: string;
  readonly known: readonly string[];
}

/** Bits in which the secrets of webhooks have to differ at least; fewer are guessed within minutes. */
const fewest = 32;

/**
 * Why the secrets of some webhooks are no random tokens, as far as that shows from outside: one is empty, two are
 * the same, they follow from what else is known, or they differ in a few characters only.
 *
 * @param given - of at least two webhooks, in the order of creation
 * @returns what is wrong, in words that hold no secret; nothing where nothing is
 */
export function secretWeakness(given: readonly GivenSecret[]): string | undefined {
  const secrets = given.map(({ secret }) => secret);
  if (secrets.includes('')) return 'the secret is empty';
  if (new Set(secrets).size < secrets.length) return 'two webhooks have the same secret';
  const source = derivations.find(({ make }) => isDerived(given, make));
  if (source !== undefined) return `the secret is ${source.words}, so that anyone who sees the webhook knows it`;
  const bits = differingBits(secrets);
  if (bits < fewest)
    return `the secrets of ${given.length} webhooks differ in ${Math.floor(bits)} bits only: they can be guessed`;
  return undefined;
}

interface Derivation {
  readonly words: string;
  readonly make: (known: string) => string;
}

const derivations: readonly Derivation[] = [
  { words: 'a member of the webhook itself', make: (known) => known },
  { words: 'a member of the webhook without its hyphens', make: (known) => known.replaceAll('-', '') },
  { words: 'a member of the webhook backwards', make: (known) => Array.from(known).toReversed().join('') },
  ...(['base64', 'base64url', 'hex'] as const).flatMap((encoding): readonly Derivation[] => [
    { words: `a member of the webhook in ${encoding}`, make: (known) => Buffer.from(known).toString(encoding) },
    ...['md5', 'sha1', 'sha256', 'sha512'].map((algorithm) => ({
      words: `the ${algorithm} hash of a member of the webhook`,
      make: (known: string) => createHash(algorithm).update(known).digest(encoding),
    })),
  ]),
];

/** Whether every secret is one thing that is known of its webhook, and around it the same for all. */
function isDerived(given: readonly GivenSecret[], make: Derivation['make']): boolean {
  const members = given[0]?.known.keys() ?? [];
  return [...members].some((index) => {
    const rests = given.map(({ secret, known }) => restOf(secret, make(known[index] ?? '')));
    return rests[0] !== undefined && rests.every((rest) => rest === rests[0]);
  });
}

/** The secret without a part of it (the beginning of a long part, where it was cut off); nothing where that is not in it. */
function restOf(secret: string, part: string): string | undefined {
  const [whole, word] = [secret.toLowerCase(), part.toLowerCase()];
  if (word.length < 8) return undefined;
  if (whole.includes(word)) return whole.replace(word, '\0');
  const cut = word.slice(0, 16);
  const at = whole.indexOf(cut);
  return at >= 0 && word.startsWith(whole.slice(at)) ? `${whole.slice(0, at)}\0` : undefined;
}

/** In how many bits the texts differ at most, going by the characters between what all begin and all end with. */
function differingBits(texts: readonly string[]): number {
  const begin = commonLength(texts);
  const ends = texts.map((text) => Array.from(text.slice(begin)).toReversed().join(''));
  const end = commonLength(ends);
  const middles = texts.map((text) => text.slice(begin, text.length - end));
  return Math.max(...middles.map(({ length }) => length)) * bitsOfCharacter(middles.join(''));
}

function commonLength(texts: readonly string[]): number {
  const [first = '', ...others] = texts;
  const at = Array.from(first).findIndex((_, index) => others.some((text) => text[index] !== first[index]));
  return at < 0 ? first.length : at;
}

function bitsOfCharacter(characters: string): number {
  if (/^\d*$/.test(characters)) return Math.log2(10);
  return /^[\da-f]*$/i.test(characters) ? 4 : 6;
}
