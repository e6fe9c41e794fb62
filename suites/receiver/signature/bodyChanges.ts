import type { Json, JsonObject } from '../../../generators/json/json.ts';
import { houseStyles } from '../../../generators/spelling/writeJson.ts';
import type { Composition } from '../../kit.ts';

/** Two bodies that some receiver takes for one, because it does not look at the bytes. */
export interface BodyChange {
  /** What the odd one has and the plain one has not. */
  readonly name: string;
  readonly plain: Composition;
  readonly odd: Composition;
  /** The charset that the odd one's Content-Type names. Default: none. */
  readonly charset?: string;
  /** Which of them is signed while the other one is sent: each is a kind of case. */
  readonly signed: readonly ('plain' | 'odd')[];
  /** True where a text is put into the body, for which only an object has room. Default: false */
  readonly inObjects?: boolean;
  /** How it comes about, where the hint of the check does not say so. */
  readonly hint?: string;
}

const decoded =
  'The body was decoded to text before it was hashed, and the decoder forgives what stands there. Hash the bytes that ' +
  'arrived (a Buffer, bytes, []byte), never a text that was made of them, and decode after the signature was verified.';
const reserialised =
  'What was hashed is JSON that the receiver wrote itself, or that as well as the bytes. One signature then stands for many ' +
  'bodies. Hash the bytes that arrived, and nothing else.';
const trimmed =
  'The body was trimmed, or cut off, before it was hashed. Hash all bytes that arrived, and trim nothing before.';
const byCharset =
  'The charset of the Content-Type decides what is hashed: the body is decoded with it, and encoded as UTF-8 for the hash. ' +
  'Take the raw body (a byte array, not a string or a reader), and hash that.';

const unescaped =
  'What was hashed had its escapes taken out: of a form or a URL (%41, +), of HTML (&lt;). JSON knows none of these. Take the raw ' +
  'body, before anything that filters requests reads it.';

const signedPlain = ['plain'] as const;
const signedOdd = ['odd'] as const;
const either = ['plain', 'odd'] as const;

/** Characters that a text may lose at its ends, though JSON does not count them as white space. */
const trimmedAway = '\u00a0\u2028\u3000\u0085\v\f';

/** Changes that make no difference to a decoder, or to what JSON says. */
export const bodyChanges: readonly BodyChange[] = [
  {
    ...around('a byte order mark before the body', (body) => Buffer.concat([utf8('\ufeff'), body])),
    signed: either,
    hint: decoded,
  },
  {
    ...around('a NUL behind the body', (body) => Buffer.concat([body, utf8('\0')])),
    signed: signedPlain,
    hint: trimmed,
  },
  {
    ...around('a NUL and a word behind the body', (body) => Buffer.concat([body, utf8('\0more')])),
    signed: signedPlain,
    hint: trimmed,
  },
  {
    ...around('white space behind the body that JSON does not know', (body) =>
      Buffer.concat([body, utf8(trimmedAway)]),
    ),
    signed: signedPlain,
    hint: trimmed,
  },
  {
    ...around('white space before the body that JSON does not know', (body) =>
      Buffer.concat([utf8(trimmedAway), body]),
    ),
    signed: signedPlain,
    hint: trimmed,
  },
  text('a byte that is no UTF-8 in place of U+FFFD', '\ufffd', [0xff], either),
  text('a byte that is no UTF-8 within a text', 'ab', [0x61, 0xff, 0x62], signedPlain),
  text(
    'an unpaired surrogate (ED A0 80) in place of three U+FFFD',
    '\ufffd\ufffd\ufffd',
    [0xed, 0xa0, 0x80],
    signedPlain,
  ),
  text('an unpaired surrogate (ED A0 80) in place of U+FFFD', '\ufffd', [0xed, 0xa0, 0x80], signedPlain),
  text(
    'a character as two surrogates of three bytes (CESU-8)',
    '\u{1f6a2}',
    [0xed, 0xa0, 0xbd, 0xed, 0xba, 0xa2],
    signedPlain,
  ),
  text('an overlong solidus (C0 AF)', '/', [0xc0, 0xaf], signedPlain),
  text('a decomposed character (NFD) in place of a composed one (NFC)', '\u00e9', [...utf8('e\u0301')], either),
  ...[
    ['a percent escape (%2F)', '/', '%2F'],
    ['a plus sign', ' ', '+'],
    ['an entity of HTML (&lt;)', '<', '&lt;'],
  ].map(([name = '', plain = '', odd = '']) => ({
    ...text(`${name} in place of what it stands for elsewhere`, `a${plain}b`, [...utf8(`a${odd}b`)], either),
    hint: unescaped,
  })),
  {
    name: 'line ends of two characters (CR LF) in place of one (LF)',
    plain: rewriting((body) => utf8(`${houseStyles.indented(parsed(body))}\n`)),
    odd: rewriting((body) => utf8(`${houseStyles.indented(parsed(body))}\n`.replaceAll('\n', '\r\n'))),
    signed: either,
    hint: 'Line ends were made alike before the body was hashed, as a reader of text does. Read and hash bytes.',
  },
  recoded('UTF-16, and says so', 'utf-16le', (body) => Buffer.from(body.toString(), 'utf16le')),
  recoded('Latin-1, and says so', 'iso-8859-1', (body) => Buffer.from(body.toString(), 'latin1')),
  ...Object.entries(houseStyles).map(([style, write]) => ({
    name: `the body ${style}`,
    plain: rewriting(unsorted),
    odd: rewriting((body) => utf8(write(parsed(unsorted(body))))),
    signed: signedOdd,
    inObjects: true,
    hint: reserialised,
  })),
];

/** The plain body, and the same with something around it. */
function around(name: string, odd: (body: Buffer) => Buffer): Pick<BodyChange, 'name' | 'plain' | 'odd'> {
  return { name, plain: {}, odd: rewriting(odd) };
}

/** A body that holds a text, and the same with other bytes in its place. */
function text(name: string, plain: string, odd: readonly number[], signed: BodyChange['signed']): BodyChange {
  return {
    name,
    plain: rewriting(noted(plain)),
    // As latin1 every byte keeps its value.
    odd: rewriting((body) => noted(Buffer.from(odd).toString('latin1'), 'latin1')(body)),
    signed,
    inObjects: true,
    hint: decoded,
  };
}

function recoded(name: string, charset: string, encode: (body: Buffer) => Buffer): BodyChange {
  const note = noted('\u00e9');
  return {
    name: `the body in ${name}`,
    plain: rewriting(note),
    odd: rewriting((body) => encode(note(body))),
    charset,
    signed: signedPlain,
    inObjects: true,
    hint: byCharset,
  };
}

/** A body with what serialisers write otherwise, members that are not in the order of their names among it. */
function unsorted(body: Buffer): Buffer {
  return noted('a/\u00e9 <b> &","also":"')(body);
}

function rewriting(rewrite: (body: Buffer) => Buffer): Composition {
  return { rewrite };
}

/**
 * Puts a text into the body, in a member that JSON:API has for what belongs to nothing else. A body that is no object has
 * no room for one, and stays as it is.
 */
function noted(note: string, encoding: BufferEncoding = 'utf8'): (body: Buffer) => Buffer {
  return (body) => {
    if (body.at(0) !== openingBrace) return body;
    const begun = body.length > emptyObject ? [body.subarray(0, -1), utf8(',')] : [utf8('{')];
    const taken = Object.keys(parsed(body) as JsonObject);
    // A second member of a name would take the place of the first, which may hold the id.
    const name = ['meta', 'note'].find((each) => !taken.includes(each)) ?? `note_${taken.length}`;
    return Buffer.concat([...begun, utf8(`"${name}":{"note":"`), Buffer.from(note, encoding), utf8('"}}')]);
  };
}

const openingBrace = 0x7b;
const emptyObject = '{}'.length;

function parsed(body: Buffer): Json {
  return JSON.parse(body.toString()) as Json;
}

function utf8(words: string): Buffer {
  return Buffer.from(words);
}
