import type { SignatureScheme } from '../../spec/signature.ts';
import { signatureHeaders, verifySignature } from '../../spec/signature.ts';
import type { ReportedHeader } from '../model/events.ts';
import { shellQuote, withinQuotes } from './shell.ts';

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
  /** Where the key is not the secret's text but the bytes that its base64 stands for. */
  readonly base64Key: boolean;
  /** The notification's id, where the scheme signs it. */
  readonly id?: string;
  /** What stands within double quotes for the headers that change, by their name in lower case. */
  readonly values: ReadonlyMap<string, string>;
}

interface SignedRequest {
  readonly headers: readonly ReportedHeader[];
  readonly body: Buffer;
}

/**
 * Whether a request has to be signed anew when it is repeated later: `no` where its scheme has no timestamp or it
 * carries no signature at all; `impossible` where its signature is not genuine, so that a right receiver would soon
 * refuse it for its age alone.
 */
export function mustSignAgain(request: SignedRequest, signing: Signing | undefined): Resigning | 'no' | 'impossible' {
  if (signing === undefined || signing.scheme.layout === 'body') return 'no';
  return resigning(request, signing);
}

/**
 * How the shell signs a request whose body it changes: `no` where the request carries no signature, `impossible` where it
 * carries one that is not the receiver's own.
 */
export function resigning(request: SignedRequest, signing: Signing): Resigning | 'no' | 'impossible' {
  const { scheme, header, secrets } = signing;
  const lookup = (name: string): string | undefined => valueOf(request, name);
  const names = headerNames(scheme, header);
  if (names.every((name) => lookup(name) === undefined)) return 'no';
  const secret = secrets.findIndex((text) =>
    verifySignature(scheme, header, lookup, { secret: text, body: request.body }),
  );
  const text = secrets[secret];
  if (text === undefined) return 'impossible';
  const [signature = '', idName, timestampName] = names;
  const id = idName === undefined ? undefined : lookup(idName);
  const prefix = withinQuotes(scheme.prefix);
  return {
    scheme,
    secret,
    base64Key: scheme.layout === 'standard-webhooks' && isBase64(text.replace(/^whsec_/, '')),
    ...(id !== undefined && { id }),
    values: new Map([
      [signature.toLowerCase(), `${headerStarts[scheme.layout]}${prefix}$s`],
      ...(timestampName === undefined ? [] : ([[timestampName.toLowerCase(), '$t']] as const)),
    ]),
  };
}

/** What stands in the header before the prefix. */
const headerStarts: Readonly<Record<SignatureScheme['layout'], string>> = {
  body: '',
  timestamped: 't=$t,',
  'standard-webhooks': '',
};

/**
 * Shell lines that put the time into `$t` and the signature of what the function `body` prints into `$s`.
 *
 * @param word - a shell word for the notification's id, where it is not the one of the request
 * @see https://docs.openssl.org/3.0/man1/openssl-dgst/
 */
export function signAgain({ scheme, secret, base64Key, id }: Resigning, word?: string): readonly string[] {
  const which = secret === 0 ? 'the secret of the receiver' : `secret number ${secret + 1} of the receiver`;
  const start = startOf(scheme, id === undefined ? undefined : (word ?? shellQuote(id)));
  const key = base64Key ? '-mac HMAC -macopt "hexkey:$k"' : '-hmac "$SEAWORTHY_SECRET"';
  return [
    `: "\${SEAWORTHY_SECRET:?set it to ${which}}"`,
    ...(scheme.layout === 'body' ? [] : ['t=$(date +%s)']),
    ...(base64Key ? [`k=$(printf %s "\${SEAWORTHY_SECRET#whsec_}" | openssl base64 -d -A | ${hex})`] : []),
    `s=$(${start === '' ? 'body' : `{ ${start}body; }`} | openssl dgst -${scheme.algorithm} ${key} -binary | ${encoders[scheme.encoding]})`,
  ];
}

/** What is signed before the body. */
function startOf({ layout }: SignatureScheme, id = "''"): string {
  switch (layout) {
    case 'body':
      return '';
    case 'timestamped':
      return `printf '%s.' "$t"; `;
    case 'standard-webhooks':
      return `printf '%s.%s.' ${id} "$t"; `;
  }
}

const hex = `od -An -vtx1 | tr -d ' \\n'`;

const encoders: Readonly<Record<SignatureScheme['encoding'], string>> = {
  hex,
  base64: 'openssl base64 -A',
  base64url: `openssl base64 -A | tr '+/' '-_' | tr -d =`,
};

/** The scheme's own headers: of the signature, of the id, of the timestamp. */
function headerNames(scheme: SignatureScheme, header: string): readonly string[] {
  return signatureHeaders(scheme, header, { secret: '', body: new Uint8Array(), id: '', timestamp: 0 }).map(
    ([name]) => name,
  );
}

function valueOf({ headers }: SignedRequest, name: string): string | undefined {
  return headers.find(([candidate]) => candidate.toLowerCase() === name.toLowerCase())?.[1];
}

function isBase64(text: string): boolean {
  return text !== '' && Buffer.from(text, 'base64').toString('base64') === text;
}
