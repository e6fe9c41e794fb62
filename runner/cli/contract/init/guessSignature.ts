import type { SignatureForm } from '../../../../spec/contractForm.ts';
import type { WebhookBody, WebhookHeader } from '../../../../spec/webhookBodies.ts';
import type { Guess } from './guessPlaces.ts';

const signatureName = /signature|hmac|[-_]sign$/i;
const timestampName = /(timestamp|[-_]time)$/i;

/** How deliveries are signed: by a header that is named like it, or that a description names. */
export function guessSignature(
  bodies: readonly WebhookBody[],
  headers: readonly WebhookHeader[],
  texts: readonly string[],
): Guess<SignatureForm> | undefined {
  const declared = headers.toSorted(strongerFirst).find(({ name }) => signatureName.test(name));
  const all = [...texts, ...bodies.flatMap(({ description }) => description ?? [])].join('\n');
  const [mentioned] = /\b(?:[A-Za-z][A-Za-z0-9]*-)+(?:Signature|Hmac)(?:-[A-Za-z0-9]+)*\b/i.exec(all) ?? [];
  const name = declared?.name ?? mentioned;
  if (name === undefined) return undefined;
  const said = `${name} ${declared === undefined ? all : describedBy(declared)}`;
  const from = declared === undefined ? 'a description names the header' : 'the header is named like a signature';
  if (/^(webhook|svix)-signature$/i.test(name))
    return { value: standardWebhooks(name), why: `${from}, as that of Standard Webhooks` };
  const timestamp = headers.find((header) => timestampName.test(header.name))?.name;
  const value = { ...formatOf(said), ...templates(name, said, timestamp) };
  return { value, why: `${from}; compare what is signed, the key and the encoding with the provider's documentation` };
}

/** Of several headers the one with the newer hash: X-Hub-Signature-256 rather than X-Hub-Signature. */
function strongerFirst(a: WebhookHeader, b: WebhookHeader): number {
  return Number(/256|512/.test(b.name)) - Number(/256|512/.test(a.name));
}

function describedBy({ description = '', schema }: WebhookHeader): string {
  return `${description} ${JSON.stringify(schema)}`;
}

function standardWebhooks(name: string): SignatureForm {
  const prefix = name.replace(/-signature$/i, '');
  return {
    key: 'whsec_:base64',
    signed: '{id}.{timestamp}.{body}',
    digest: 'base64',
    several: ' ',
    tolerance: '5m',
    headers: { [name]: 'v1,{digest}', [`${prefix}-id`]: '{id}', [`${prefix}-timestamp`]: '{timestamp}' },
  };
}

function formatOf(said: string): Pick<SignatureForm, 'algorithm' | 'digest'> {
  const algorithm = /sha-?512/i.test(said)
    ? 'sha512'
    : /sha-?1\b/i.test(said) && !/256/.test(said)
      ? 'sha1'
      : undefined;
  const digest = /base64-?url/i.test(said) ? 'base64url' : /base-?64/i.test(said) ? 'base64' : undefined;
  return { ...(algorithm && { algorithm }), ...(digest && { digest }) };
}

function templates(
  name: string,
  said: string,
  timestamp: string | undefined,
): Pick<SignatureForm, 'signed' | 'headers'> {
  const parts = partsIn(said);
  if (parts !== undefined) return { signed: signedIn(said), headers: { [name]: parts } };
  const [prefix = ''] = /\b(?:sha(?:1|256|512)|v[0-9])=/.exec(said) ?? (name.endsWith('-256') ? ['sha256='] : []);
  const headers = { [name]: `${prefix}{digest}` };
  if (timestamp === undefined) return { headers };
  return { signed: signedIn(said), headers: { ...headers, [timestamp]: '{timestamp}' } };
}

const twoParts = /\b([A-Za-z]\w{0,15})=([^\s,;&"'`=]{1,80}=*)([,;&] ?)([A-Za-z]\w{0,15})=([^\s,;&"'`]{1,200})/g;

/** The template of a header that is shown with its parts: `t=1700000000,v1=5257a869` is `t={timestamp},v1={digest}`. */
function partsIn(said: string): string | undefined {
  for (const [, one = '', first = '', divider = '', other = '', second = ''] of said.matchAll(twoParts)) {
    if (isTime(one, first)) return `${one}={timestamp}${divider}${other}={digest}`;
    if (isTime(other, second)) return `${one}={digest}${divider}${other}={timestamp}`;
  }
  return undefined;
}

function isTime(name: string, value: string): boolean {
  return /^(t|ts|time|timestamp)$/i.test(name) || /^\d{10}(\d{3})?$/.test(value);
}

/** What is signed beside the body, where a text says how the two are joined; most providers have a full stop there. */
function signedIn(said: string): string {
  const [, joint = '.'] =
    /\b(?:ts?|time(?:stamp)?)\b\W{0,4}?([:|])\W{0,4}(?:raw|body|payload|request)/i.exec(said) ?? [];
  return `{timestamp}${joint}{body}`;
}
