import type { Json } from '../../generators/json/json.ts';
import { houseStyles } from '../../generators/spelling/writeJson.ts';
import {
  digestSpellings,
  readSignature,
  signatureHeaderName,
  type HeaderLookup,
  type ReceivedSignature,
  type SignatureScheme,
} from '../../spec/signature.ts';
import { signatureAlgorithms } from '../../spec/signatureScheme.ts';
import { readElements } from '../../spec/signatureTemplate.ts';

/** A delivery whose signature does not verify, and what it should have been signed with. */
export interface WrongSignature {
  readonly scheme: SignatureScheme;
  /** The name of the signature's header, for schemes that do not fix it. */
  readonly header: string;
  readonly lookup: HeaderLookup;
  readonly body: Buffer;
  /** The body as JSON, where it is. */
  readonly value: Json | undefined;
  readonly secrets: readonly string[];
}

/**
 * Why a signature does not verify, as far as its bytes show: mistakes that services make are made again, one at a time, to
 * see which gives the signature that came.
 *
 * @returns a sentence without its end, to follow "the signature does not verify:"
 * @example 'it covers the body as Python writes it, not the bytes that came'
 */
export function signatureMistake(wrong: WrongSignature): string {
  const { scheme, header, lookup } = wrong;
  const name = signatureHeaderName(scheme, header);
  const value = lookup(name);
  if (value === undefined) return `none came: there is no header ${name}`;
  if (value.trim() === '') return `none came: the header ${name} is empty`;
  const received = readSignature(scheme, header, lookup);
  if (received === undefined || received.digests.length === 0) return misread(wrong, name);
  const found = firstThat(wrong, received, (digest) => received.digests.some((each) => each.trim() === digest));
  return found ?? unexplained(scheme, received.digests);
}

/** What a signature was made of, and in words what is wrong with that; empty where nothing is. */
interface Ingredients {
  readonly words: string;
  readonly scheme: SignatureScheme;
  readonly secret: string;
  readonly body: Buffer;
}

function firstThat(
  wrong: WrongSignature,
  { id, timestamp }: ReceivedSignature,
  isReceived: (digest: string) => boolean,
): string | undefined {
  for (const each of tried(wrong)) {
    const spellings = digestSpellings(each.scheme, { secret: each.secret, body: each.body, id, timestamp });
    const found = spellings.find(isReceived);
    if (found === undefined) continue;
    return each.words === '' ? writtenOtherwise(wrong.scheme, found, spellings) : each.words;
  }
  return undefined;
}

/** What may have been signed: one mistake at a time, for each takes time, and deliveries come fast. */
function* tried(wrong: WrongSignature): Generator<Ingredients> {
  const keys = wrong.secrets.flatMap((secret) => keyMistakes(wrong.scheme, secret));
  for (const key of keys) yield { ...key, body: wrong.body };
  const right = wrong.secrets.map((secret) => ({ words: '', scheme: wrong.scheme, secret }));
  const bodies = Array.from(bodyMistakes(wrong));
  for (const key of right) for (const { words, body } of bodies) yield { ...key, words, body };
}

type Key = Omit<Ingredients, 'body'>;

/** Mistakes with the key, the algorithm and what is signed beside the body; first none, so that only the writing differs. */
function keyMistakes(scheme: SignatureScheme, secret: string): readonly Key[] {
  const algorithms = signatureAlgorithms.filter((algorithm) => algorithm !== scheme.algorithm);
  return [
    { words: '', scheme, secret },
    ...algorithms.map((algorithm) => {
      return {
        words: `it is made with ${algorithm}, not ${scheme.algorithm}`,
        scheme: { ...scheme, algorithm },
        secret,
      };
    }),
    ...textMistakes(scheme, secret),
    ...decodingMistakes(scheme, secret),
    ...layouts
      .filter(({ signed }) => signed !== scheme.signed)
      .map(({ words, signed }) => ({
        words: `${words}, not ${covered(scheme)}`,
        scheme: { ...scheme, signed },
        secret,
      })),
  ];
}

/** The text of the secret, or of a part of it, or of more than it, as the key. */
function textMistakes(scheme: SignatureScheme, secret: string): readonly Key[] {
  const { encoding, prefix } = scheme.key;
  const keyed = (words: string, text: string): Key => {
    return { words, scheme: { ...scheme, key: { encoding: 'utf8', prefix: '' } }, secret: text };
  };
  const bare = bareSecret(scheme, secret);
  const isText = encoding === 'utf8';
  const whole = isText ? [] : [keyed(`the key is the text of the secret, not decoded from ${encoding}`, secret)];
  const cut = `the key is the text of the secret after ${prefix === '' ? 'its label' : prefix}`;
  return [
    ...whole,
    ...(bare === secret ? [] : [keyed(`${cut}, ${isText ? 'not all of it' : `not decoded from ${encoding}`}`, bare)]),
    keyed(
      'the key is the secret with a line break at its end: it was read from a file, and not trimmed',
      `${secret}\n`,
    ),
    keyed('the key is the secret without the white space around it', secret.trim()),
    keyed('the key is empty: the secret was not set', ''),
  ];
}

/** The secret without the label before it: the one of the scheme, else what providers write there (`whsec_`, `sk_live_`). */
function bareSecret({ key }: SignatureScheme, secret: string): string {
  if (key.prefix !== '') return secret.startsWith(key.prefix) ? secret.slice(key.prefix.length) : secret;
  return secret.replace(/^(?:[A-Za-z]+_)+(?=.)/, '');
}

function decodingMistakes(scheme: SignatureScheme, secret: string): readonly Key[] {
  const encodings = (['base64', 'hex'] as const).filter((encoding) => scheme.key.encoding !== encoding);
  return encodings.map((encoding) => ({
    words: `the key is the secret decoded from ${encoding}, not its text`,
    scheme: { ...scheme, key: { encoding, prefix: '' } },
    secret: bareSecret(scheme, secret),
  }));
}

/** What services sign instead of what they should. */
const layouts = [
  { words: 'it covers the body alone', signed: '{body}' },
  { words: 'it covers the timestamp and the body', signed: '{timestamp}.{body}' },
  { words: 'it covers the timestamp and the body without a point between', signed: '{timestamp}{body}' },
  { words: 'it covers the id and the body', signed: '{id}.{body}' },
  { words: 'it covers the timestamp, the id and the body', signed: '{timestamp}.{id}.{body}' },
] as const;

function covered({ signed }: SignatureScheme): string {
  return signed === '{body}' ? 'the body alone' : signed.replaceAll(/[{}]/g, '');
}

/** Other bytes than those that came: a body that was written again, trimmed, or changed on its way. */
function* bodyMistakes({ body, value }: WrongSignature): Generator<{ readonly words: string; readonly body: Buffer }> {
  const text = body.toString();
  const instead = (words: string, bytes: string | Buffer) => ({ words, body: Buffer.from(bytes as string) });
  if (text.trim() !== text)
    yield instead('it covers the body without the white space at its ends: it was trimmed', text.trim());
  if (value !== undefined) {
    yield instead(
      'it covers the body written again without white space, not the bytes that came',
      JSON.stringify(value),
    );
    for (const [style, write] of Object.entries(houseStyles))
      yield instead(`it covers the body written again ${styleWords(style)}, not the bytes that came`, write(value));
  }
  yield instead('it covers the body with a line feed at its end, which did not come', `${text}\n`);
  yield instead('it covers the body with CR LF for each line feed', text.replaceAll(/\r?\n/g, '\r\n'));
  yield instead('it covers the body with a line feed for each CR LF', text.replaceAll('\r\n', '\n'));
  yield instead('it covers the body with a byte order mark before it', `\u{feff}${text}`);
  yield instead('it covers the body in Latin-1, which was sent in UTF-8', Buffer.from(text, 'latin1'));
  yield instead('it covers the body in UTF-8, which was sent in Latin-1', body.toString('latin1'));
  yield instead('it covers the body in base64', body.toString('base64'));
  yield instead('it covers the body as a JSON text, written twice', JSON.stringify(text));
  yield instead('it covers an empty body', '');
}

function styleWords(style: string): string {
  return style === 'indented' ? 'over several lines' : style;
}

/** The digest is right, and its bytes are written in another way. */
function writtenOtherwise({ digest }: SignatureScheme, found: string, spellings: readonly string[]): string {
  const [hex = '', upper, base64] = spellings;
  const doubly = spellings.at(-1);
  const how =
    found === hex
      ? 'in hex'
      : found === upper
        ? 'in upper-case hex'
        : found === base64
          ? 'in base64'
          : found === doubly
            ? 'in base64 of its hex'
            : 'in base64 of another alphabet or padding';
  return `it is the right one, but written ${how}, not ${digest === 'hex' ? 'in lower-case hex' : `in ${digest}`}`;
}

/** A header that holds no signature where the scheme has it, though the value may be right. */
function misread({ scheme, header, lookup }: WrongSignature, name: string): string {
  const missing = scheme.headers.slice(1).find((each) => lookup(each.name ?? header) === undefined);
  if (missing?.name !== undefined) return `the header ${missing.name}, which is signed as well, did not come`;
  const strange = scheme.headers.slice(1).find((each) => !isReadable(each.template, lookup(each.name ?? header) ?? ''));
  const [{ template }] = strange === undefined ? scheme.headers : [strange];
  const form = template.replaceAll('{', '<').replaceAll('}', '>');
  const unit = template.includes('{timestamp}000') ? ': a time in milliseconds' : ': a time in whole seconds';
  return `what stands in ${strange?.name ?? name} is not of the form ${form}${strange === undefined ? '' : unit}`;
}

/** Whether a header beside that of the digest holds what its template says. */
function isReadable(template: string, value: string): boolean {
  const [element] = readElements(template, undefined, value);
  const time = element?.fields.timestamp;
  return element?.part !== undefined && (time === undefined || /^\d+(\.\d{3})?$/.test(time));
}

const digestBytes: Readonly<Record<SignatureScheme['algorithm'], number>> = { sha1: 20, sha256: 32, sha512: 64 };

function unexplained({ algorithm, signed }: SignatureScheme, [digest = '']: readonly string[]): string {
  const bytes = /^[0-9a-f]+$/i.test(digest) ? digest.length / 2 : Buffer.from(digest, 'base64').length;
  const other = signatureAlgorithms.find((each) => digestBytes[each] === bytes);
  if (other !== undefined && other !== algorithm)
    return `it has the length of ${other}, not of ${algorithm}, and was made with another secret or of other bytes`;
  if (other === undefined) return `it has ${bytes} bytes where one of ${algorithm} has ${digestBytes[algorithm]}`;
  const covered = ['timestamp', 'id', 'body'].filter((field) => signed.includes(`{${field}}`));
  return `it was made with another secret, or the ${covered.join(' or the ')} was changed after it was signed`;
}
