import type { Forgery } from './forgery.ts';

/** Names the forgery in a few words, for a report. */
export function describeForgery(forgery: Forgery): string {
  switch (forgery.kind) {
    case 'another secret':
      return `signed with another secret (${forgery.secret}~)`;
    case 'a secret that anybody knows':
      return `signed with ${JSON.stringify(forgery.secret)} as the secret`;
    case 'the same digits in another order':
    case 'another digest in a part of it':
      return forgery.where === 'all of it' ? words[forgery.kind] : `${words[forgery.kind]}, in ${forgery.where}`;
    case 'one digit written otherwise':
      return `one digit of the signature with ${forgery.as}`;
    case 'one character changed':
      return `one character of the signature changed (${forgery.at < 0 ? `${-forgery.at} from the end` : `number ${forgery.at + 1}`})`;
    case 'a plain hash of secret and body':
      return `a plain hash of ${forgery.of}${forgery.between === '' ? '' : ` with ${JSON.stringify(forgery.between)} between them`} in place of the HMAC`;
    case 'another algorithm':
      return `${forgery.of} by ${forgery.algorithm}, which the header names`;
    case 'a truncated signature':
      return `a signature without its ${forgery.at === undefined ? 'last' : 'first'} ${forgery.missing === 1 ? 'character' : `${forgery.missing} characters`}`;
    case 'another timestamp':
      return `the timestamp is ${shortened(forgery.timestamp)}`;
    case 'some other word':
      return `the signature is ${shortened(forgery.word)}`;
    case 'a character that is no digit':
      return `${JSON.stringify(forgery.character)} in ${forgery.at === 'every place' ? forgery.at : 'one place'} of a signature of the right length`;
    case 'another length':
      return `a wrong signature of ${lengthOf(forgery)}`;
    case 'two wrong signatures':
      return `two wrong signatures in ${forgery.in}`;
    case 'an empty secret':
    case 'the signature of another body':
    case 'bytes that are no text':
    case 'another digest behind a byte of zero':
      return words[forgery.kind];
    default:
      return forgery.kind;
  }
}

const words = {
  'an empty secret': 'signed with an empty secret',
  'the signature of another body': 'signed over another body (white space added)',
  'bytes that are no text': 'a signature of the right length of bytes that are no UTF-8 (ED A0 80, again and again)',
  'the same digits in another order': 'the digits of the signature in another order',
  'another digest in a part of it': 'another digest in the signature',
  'another digest behind a byte of zero': 'another digest in the signature, behind a byte of zero',
} as const;

function shortened(text: string): string {
  return text.length <= 40
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, 20))}... (${text.length} characters)`;
}

function lengthOf({ times, more }: Extract<Forgery, { kind: 'another length' }>): string {
  if (times === 0) return more === 1 ? 'one digit' : `${more} digits`;
  return times === 1 ? 'one digit too many' : 'twice the right length';
}
