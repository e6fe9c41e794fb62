import type { Notification } from '../../../generators/notification/notification.ts';
import type { ReceiverKit } from '../../kit.ts';
import { delivered } from '../expectation.ts';
import { forge, patterns, plainForgery, type Forgery } from '../forgery.ts';

/** How it comes about that it is accepted, where that is another mistake than a careless comparison. */
export function forgeryHint(forgery: Forgery): string | undefined {
  if (forgery.kind === 'some other word') return patterns.includes(forgery.word) ? asPattern : undefined;
  return forgeryHints[forgery.kind];
}

/** How a receiver comes to accept it, where it is a mistake of its own. */
const forgeryHints: Readonly<Partial<Record<Forgery['kind'], string>>> = {
  'the same digits in another order':
    'The digits of the right signature were accepted in another order, as where sums are compared. Compare the digests as a ' +
    'whole, with the function of your platform for it (timingSafeEqual, compare_digest, hash_equals, hmac.Equal).',
  'another digest in a part of it':
    'A part of the digest was compared, and the rest of it was not. Compare the digests as a whole, with the function of your ' +
    'platform for it (timingSafeEqual, compare_digest, hash_equals, hmac.Equal).',
  'a truncated signature':
    'A part of the right signature was accepted in its place, as where a text is searched for in another one (startsWith, endsWith, ' +
    'includes), or as many digits are compared as were given. Compare all of it, and refuse what is shorter.',
  'the letters of the signature in the other case':
    'The signatures were compared without regard to case. In base64 a capital letter and a small one are different digits: compare ' +
    'the bytes of the digests, or the texts just as they are.',
  'another digest behind a byte of zero':
    'The comparison ended at a byte of zero, as strcmp does. One digest in 256 begins with such a byte, and any signature that ' +
    'begins with it then passes. Compare all bytes of the digests, with the function of your platform for it (CRYPTO_memcmp).',
  'a secret that anybody knows':
    'A secret that is not there became a text ("undefined", "None", "<nil>"), or one of an example was left in place beside yours. ' +
    'End with an error at the start where a secret is missing, empty or that of an example.',
  'the signature of an empty body':
    'The signature of an empty body counts for any body: the body had been read before, or could not be, and nothing was verified ' +
    'in its place, or the signature was remembered as a good one. Verify the bytes that you then read, at each request.',
  'no signature header':
    'What came without a signature was not verified at all, as where "if (signature)" stands before the verification. Refuse ' +
    'with 401 where the header is missing or empty.',
  'another algorithm':
    'The sender chose the algorithm here, and one for which you have no secret. Use the one algorithm that was agreed on, ' +
    'whatever the header says, and refuse every other name.',
  'another timestamp':
    'Refuse with 401 where the timestamp is no whole number of a few digits, before you convert it: conversions throw, pass over ' +
    'what they cannot read, or make a number that is too large.',
  'a plain hash of secret and body':
    'Where a hash of secret and body counts as a signature, it can be lengthened without the secret. Use the HMAC of your ' +
    'platform (createHmac, hmac.new, hash_hmac, hmac.New), and accept nothing beside it.',
  'the signature of the body alone':
    'A signature of an older or simpler layout counts beside the right one: anybody who has seen one can send the body at any time. ' +
    'Compute the HMAC over all that the sender signs, and accept nothing else.',
};

const asPattern =
  'The signature was taken for a pattern, which matches whatever you expect. Compare texts (in bash, quote both sides of ==).';

const formless =
  'What does not look like a signature was not verified at all: it has another length or prefix, or is not there. Refuse it with ' +
  '401, and go on with nothing but what was verified.';

/** Another mistake may be behind what is accepted without a signature, or with a part of it: what else is accepted shows which. */
const isPartial: readonly Forgery['kind'][] = ['a truncated signature', 'no signature header', 'an empty signature'];

/** How it comes about that a forgery is accepted, beside what else is. */
export async function hintBesideOthers(
  kit: ReceiverKit,
  notification: Notification,
  forgery: Forgery,
): Promise<string | undefined> {
  const isTaken = async (other: Forgery): Promise<boolean> =>
    kit.accepts((await delivered(kit, forge(kit, kit.compose(notification), other))).answer);
  if (!isPartial.includes(forgery.kind)) return forgeryHint(forgery);
  if (await isTaken({ kind: 'some other word', word: '~' }))
    return (await isTaken(plainForgery)) ? undefined : formless;
  const part: Forgery = { kind: 'a truncated signature', missing: 1 };
  return forgeryHint((await isTaken(part)) ? part : forgery);
}
