import { createHash } from 'node:crypto';

import fc from 'fast-check';

import { isTakenBy } from '../../../generators/calls/plainBody.ts';
import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { withPointer } from '../../../generators/json/jsonPointer.ts';
import { serviceCheck, type ServiceCheck, Unobservable } from '../../check.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { accepted, create, inactive, notAccepted, type Created } from '../creation.ts';
import { formText, hasForm } from '../../../spec/delivery.ts';
import { memberPlace, type ServiceTerms } from '../../../spec/serviceTerms.ts';
import { itemOf } from '../../items.ts';
import { parentOf } from '../../../spec/pointer.ts';

/** Section 2.1: the service assigns each webhook an id of its own. */
const uuids = serviceCheck<number>({
  id: 'service/identity/uuid',
  title: 'gives each webhook an id of its own',
  requirements: ['WHK-2'],
  needs: [],
  weight: 0.2,
  cases: () => [fc.integer({ min: 2, max: 8 })],
  run: async (kit, count) => {
    const made = await several(kit, count);
    const ids = made.map(({ resource }) => kit.member(resource ?? null, 'id'));
    const { form } = kit.terms.webhook;
    const isRight = (id: unknown) => hasForm(id, form ?? '[^]+');
    const wrong = ids.findIndex((id) => !isRight(id));
    if (wrong >= 0) {
      const actual = `the id is ${JSON.stringify(ids[wrong]) ?? 'missing'}`;
      return finding('WHK-2', {
        expected: form === undefined ? 'an id that is a text or a whole number' : formText(form),
        actual,
        exchanges: [itemOf(made, wrong).call],
      });
    }
    const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
    if (again < 0) return undefined;
    return finding('WHK-2', {
      expected: `${count} webhooks have ${count} ids`,
      actual: 'two of them have the same id',
      exchanges: [itemOf(made, ids.indexOf(ids[again])).call, itemOf(made, again).call],
    });
  },
  hint: 'Generate an id for each webhook, such as a random uuid, and put a unique index on it.',
});

/** Sections 2.1 and 4.1: each webhook gets a random secret of its own. */
const secrets = serviceCheck<number>({
  id: 'service/identity/secret',
  title: 'gives each webhook a random secret of its own',
  requirements: ['WHK-8'],
  about: ['webhook:secret'],
  needs: [],
  weight: 0.15,
  cases: () => [fc.integer({ min: 3, max: 8 })],
  run: async (kit, count) => {
    if (isTakenBy(kit.contract, 'create', 'secret'))
      throw new Unobservable('a creation takes the secret here: the client makes it');
    const made = await several(kit, count);
    const given = made.map(({ resource }) => kit.member(resource ?? null, 'secret'));
    const missing = given.findIndex((secret) => typeof secret !== 'string');
    if (missing >= 0) {
      const actual = given[missing] === undefined ? 'the answer holds none' : 'it is no text';
      return finding('WHK-8', { expected: 'a secret in the answer', actual, exchanges: [itemOf(made, missing).call] });
    }
    const weakness = secretWeakness(
      made.map(({ resource }, index) => ({ secret: String(given[index]), known: knownOf(kit, resource ?? null) })),
    );
    if (weakness === undefined) return sameUrlTwice(kit);
    const exchanges = made.slice(0, 3).map(({ call }) => call);
    return finding('WHK-8', { expected: 'a random token for each webhook', actual: weakness, exchanges });
  },
  hint: 'Take 32 bytes from the random source of the system for each webhook; derive a secret from nothing.',
});

/** Section 2.1: id and secret are the service's to assign, and so is the time of creation. */
const assigned = serviceCheck<'id' | 'secret' | 'createdAt'>({
  id: 'service/identity/assigned',
  title: 'assigns id, secret and time of creation itself, whatever a client sends for them',
  requirements: ['WHK-2', 'WHK-8', 'WHK-12'],
  needs: [],
  weight: 0.1,
  cases: ({ contract, terms }) =>
    (['id', 'secret', 'createdAt'] as const)
      .filter((name) => isSent(terms, name) && !(name === 'secret' && isTakenBy(contract, 'create', name)))
      .map((name) => fc.constant(name)),
  run: async (kit, name) => {
    const { url } = kit.endpoint();
    const twin = await accepted(kit, inactive(kit, kit.endpoint().url));
    const given = { id: kit.freshId(), secret: `client-${kit.freshId()}`, createdAt: '2001-02-03T04:05:06Z' }[name];
    const pointer = kit.terms.webhook.wrapper + memberPlace(kit.terms, name);
    const { call, resource } = await create(kit, withPointer(inactive(kit, url), pointer, given));
    // A service may refuse such a creation, and may ignore the member.
    if (kit.member(resource ?? null, name) !== given) return undefined;
    return finding(({ id: 'WHK-2', secret: 'WHK-8', createdAt: 'WHK-12' } as const)[name], {
      expected: 'a value that the service assigns',
      actual: 'it took the value that the client sent',
      exchanges: [call],
      twin: twin.call,
      difference: `the member ${pointer} was sent along`,
    });
  },
  hint: 'Store the members that the contract lists for a creation, and nothing else of the body.',
});

/** Whether a creation can hold it: where it stands in an object that only an answer has, nobody would send it. */
function isSent({ webhook: { members } }: ServiceTerms, name: 'id' | 'secret' | 'createdAt'): boolean {
  const place = members[name];
  return place !== undefined && ['', parentOf(members.url)].includes(parentOf(place));
}

/** Bits in which the secrets of webhooks have to differ at least; fewer are guessed within minutes. */
const fewest = 32;

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

/** The checks of this topic, in the order in which they run and are listed. */
export const identityChecks: readonly ServiceCheck[] = [uuids, assigned, secrets];

/** Creates webhooks, half of them one after the other, the others at the same moment. @throws Unproven where one is not accepted, or shows no resource */
async function several(kit: ServiceKit, count: number): Promise<readonly Created[]> {
  const made: Created[] = [];
  const one = () => accepted(kit, inactive(kit, kit.endpoint().url));
  while (made.length < count / 2) made.push(await one());
  made.push(...(await Promise.all(Array.from({ length: count - made.length }, one))));
  const bare = made.find(({ resource }) => !isJsonObject(resource));
  if (bare) throw notAccepted(bare.call);
  return made;
}

/** What the answer shows of a webhook beside its secret. */
function knownOf(kit: ServiceKit, resource: Json): readonly string[] {
  const names = ['id', 'url', 'createdAt'] as const;
  return names.map((name) => {
    const value = kit.member(resource, name);
    return typeof value === 'string' ? value : '';
  });
}

/** Two webhooks for the same url have different secrets too, where the service takes a second one. */
async function sameUrlTwice(kit: ServiceKit) {
  const body = inactive(kit, kit.endpoint().url);
  const one = await accepted(kit, body);
  const other = await create(kit, body);
  const same = (name: 'id' | 'secret') => {
    const value = kit.member(other.resource ?? null, name);
    return value !== undefined && value === kit.member(one.resource ?? null, name);
  };
  // The same id says that it is the same webhook.
  if (same('id') || !same('secret') || isTakenBy(kit.contract, 'create', 'secret')) return undefined;
  return finding('WHK-8', {
    expected: 'another secret for another webhook',
    actual: 'two webhooks with the same url have the same secret',
    exchanges: [one.call, other.call],
  });
}

/** A secret and what else is known of its webhook: texts that a careless service might have made it from. */
interface GivenSecret {
  readonly secret: string;
  readonly known: readonly string[];
}

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
