import { type SignatureScheme, hasTimestamp, verifySignature } from '../../spec/signature.ts';
import { readElements, templatePieces } from '../../spec/signatureTemplate.ts';
import { keyText } from '../../spec/signatureScheme.ts';
import type { ReportedHeader } from '../model/events.ts';
import { printfFormat, shellQuote, withinQuotes } from './shell.ts';
import { headerValue, isSameName } from '../../spec/headerText.ts';

/** How deliveries are signed. */
export interface Signing {
  readonly scheme: SignatureScheme;
  /** The header of the signature, where the scheme does not fix it. */
  readonly header: string;
  /** All that the receiver accepts. They decide whether a signature is genuine and stand in no output. */
  readonly secrets: readonly string[];
}

/** What the shell needs to sign a request again. */
export interface Resigning {
  readonly scheme: SignatureScheme;
  /** Which of the secrets signed it, from 0. */
  readonly secret: number;
  /** How the secret's text stands for the bytes of the key, and whether it begins with the scheme's prefix. */
  readonly key: { readonly encoding: SignatureScheme['key']['encoding']; readonly hasPrefix: boolean };
  /** The notification's id, where the scheme signs it. */
  readonly id?: string;
  /** Seconds by which the timestamp is ahead of the clock. */
  readonly skew: number;
  /**
   * What stands within double quotes for a header that changes. Nothing where it stays as it was, as each line of a
   * header that came several times does but the right one.
   */
  readonly valueOf: (name: string, value: string) => string | undefined;
}

interface SignedRequest {
  readonly headers: readonly ReportedHeader[];
  readonly body: Buffer;
  /** Seconds by which its timestamp was ahead of the sender's clock. Default 0. */
  readonly skew?: number;
}

/**
 * Whether a request has to be signed anew when it is repeated later: `no` where its scheme has no timestamp or it
 * carries no signature at all; `impossible` where its signature is not genuine, so that a right receiver would soon
 * refuse it for its age alone.
 */
export function mustSignAgain(request: SignedRequest, signing: Signing | undefined): Resigning | 'no' | 'impossible' {
  if (signing === undefined || !hasTimestamp(signing.scheme)) return 'no';
  return resigning(request, signing);
}

/**
 * How the shell signs a request whose body it changes: `no` where the request carries no signature, `impossible` where it
 * carries one that is not the receiver's own.
 */
export function resigning(request: SignedRequest, signing: Signing): Resigning | 'no' | 'impossible' {
  const { scheme, header, secrets } = signing;
  const isGenuine = (secret: string, value: Lookup): boolean =>
    verifySignature(scheme, header, value, { secret, body: request.body });
  if (scheme.headers.every(({ name = header }) => headerValue(request.headers, name) === undefined)) return 'no';
  const lookups = readings(request, signing);
  const secret = secrets.findIndex((each) => lookups.some((lookup) => isGenuine(each, lookup)));
  const text = secrets[secret];
  const lookup = text === undefined ? undefined : lookups.find((each) => isGenuine(text, each));
  if (text === undefined || lookup === undefined) return 'impossible';
  const [keyed, encoding] = keyText(scheme.key, text);
  const id = scheme.headers.find(({ template }) => template.includes('{id}'));
  const idValue = id && readElements(id.template, undefined, lookup(id.name ?? header) ?? '')[0]?.fields.id;
  const values = valuesOf(signing, lookup, (element) =>
    isGenuine(text, (name) => (isSameName(name, ownName(signing)) ? element : lookup(name))),
  );
  return {
    scheme,
    secret,
    key: { encoding, hasPrefix: keyed !== text },
    ...(idValue !== undefined && { id: idValue }),
    skew: request.skew ?? 0,
    valueOf: (name, value) => (lookup(name) === value ? values.get(name.toLowerCase()) : undefined),
  };
}

/** The value of a header by its name. */
type Lookup = (name: string) => string | undefined;

/** The headers of a request as a receiver may read them: with one line of a signature that came several times. */
function readings({ headers }: SignedRequest, signing: Signing): readonly Lookup[] {
  const name = ownName(signing);
  const others = headers.filter(([each]) => !isSameName(each, name));
  return headers
    .filter(([each]) => isSameName(each, name))
    .map((line) => (each) => headerValue([line, ...others], each));
}

/** The headers that change, as they stand within double quotes; elements of a list that are not the signature stay. */
function valuesOf(
  { scheme, header }: Signing,
  lookup: (name: string) => string | undefined,
  isGenuine: (value: string) => boolean,
): ReadonlyMap<string, string> {
  const changing = scheme.headers.filter(({ template }) => /\{(digest|timestamp)\}/.test(template));
  return new Map(
    changing.map(({ name = header, template }) => {
      const separator = template.includes('{digest}') ? scheme.several : undefined;
      const elements = readElements(template, separator, lookup(name) ?? '');
      // Whether one of several digests or timestamps is the right one shows without the others.
      const isRight = (field: 'digest' | 'timestamp', text: string): boolean =>
        isGenuine(
          joined(
            elements.filter(({ fields }) => (fields[field] ?? text) === text),
            separator,
          ),
        );
      const isKept = (digest: string | undefined): boolean =>
        digest !== undefined && elements.length > 1 && !isRight('digest', digest);
      const times = [...new Set(elements.flatMap(({ fields }) => fields.timestamp ?? []))];
      const right = times.find((time) => times.length > 1 && isRight('timestamp', time));
      const words = elements.map(({ text, part, fields }) =>
        part === undefined || isKept(fields.digest)
          ? withinQuotes(text)
          : shellTemplate(part, right === undefined ? 0 : Number(fields.timestamp ?? right) - Number(right)),
      );
      return [name.toLowerCase(), words.join(withinQuotes(separator ?? ''))];
    }),
  );
}

function joined(elements: readonly { readonly text: string }[], separator: string | undefined): string {
  return elements.map(({ text }) => text).join(separator);
}

/** A template as it stands within double quotes, with a timestamp so many seconds ahead of the one that is signed. */
function shellTemplate(template: string, ahead: number): string {
  const time = ahead === 0 ? '$t' : `$((t${ahead < 0 ? ' - ' : ' + '}${Math.abs(ahead)}))`;
  return templatePieces(template)
    .map((piece, at) => (at % 2 === 0 ? withinQuotes(piece) : piece === 'digest' ? '$s' : time))
    .join('');
}

/**
 * Shell lines that put the time into `$t` and the signature of what the function `body` prints into `$s`.
 *
 * @param word - a shell word for the notification's id, where it is not the one of the request
 * @see https://docs.openssl.org/3.0/man1/openssl-dgst/
 */
export function signAgain(resigned: Resigning, word?: string): readonly string[] {
  const { scheme, secret, id, skew } = resigned;
  const which = secret === 0 ? 'the secret of the receiver' : `secret number ${secret + 1} of the receiver`;
  const idWord = id === undefined ? "''" : (word ?? shellQuote(id));
  const [before = '', after = ''] = scheme.signed.split('{body}').map((around) => printed(around, idWord));
  const { lines, option } = keyOf(resigned);
  const input = before + after === '' ? 'body' : `{ ${before}body; ${after}}`;
  return [
    `: "\${SEAWORTHY_SECRET:?set it to ${which}}"`,
    ...(hasTimestamp(scheme) ? [`t=${skew === 0 ? '$(date +%s)' : `$(($(date +%s) + ${skew}))`}`] : []),
    ...lines,
    `s=$(${input} | openssl dgst -${scheme.algorithm} ${option} -binary | ${encoders[scheme.digest]})`,
  ];
}

/** Shell lines that make the key, and the option of openssl that takes it. */
function keyOf({ scheme: { key }, key: { encoding, hasPrefix } }: Resigning) {
  const prefix = /^\w+$/.test(key.prefix) ? key.prefix : shellQuote(key.prefix);
  const secret = hasPrefix ? `\${SEAWORTHY_SECRET#${prefix}}` : '$SEAWORTHY_SECRET';
  if (encoding === 'utf8') return { lines: [], option: `-hmac "${secret}"` };
  const line = encoding === 'hex' ? `k="${secret}"` : `k=$(printf %s "${secret}" | openssl base64 -d -A | ${hex})`;
  return { lines: [line], option: '-mac HMAC -macopt "hexkey:$k"' };
}

/** A command that prints what is signed beside the body, and `; `; nothing where that is nothing. */
function printed(template: string, id: string): string {
  if (template === '') return '';
  const pieces = templatePieces(template);
  const format = pieces.map((piece, at) => (at % 2 === 0 ? printfFormat(Buffer.from(piece)).slice(1, -1) : '%s'));
  const words = pieces.flatMap((piece, at) => (at % 2 === 0 ? [] : piece === 'id' ? [id] : ['"$t"']));
  return `${['printf', `'${format.join('')}'`, ...words].join(' ')}; `;
}

const hex = `od -An -vtx1 | tr -d ' \\n'`;

const encoders: Readonly<Record<SignatureScheme['digest'], string>> = {
  hex,
  base64: 'openssl base64 -A',
  base64url: `openssl base64 -A | tr '+/' '-_' | tr -d =`,
};

function ownName({ scheme, header }: Signing): string {
  return scheme.headers[0].name ?? header;
}

/** Whether this id stands where the signature of a request covers it; in the body, where nothing is signed. */
export function isIdSigned({ headers, body }: SignedRequest, signing: Signing | undefined, id: string): boolean {
  if (body.includes(id)) return true;
  return signing?.scheme.signed.includes('{id}') === true && headers.some(([, value]) => value === id);
}
