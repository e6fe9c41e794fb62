import type { SignatureForm } from '../../../../spec/contractForm.ts';
import { isSameName } from '../../../../spec/headerText.ts';
import { isRecord } from '../../../../spec/jsonSchema.ts';
import type { WebhookBody, WebhookHeader } from '../../../../spec/webhookBodies.ts';
import {
  type Guess,
  commonHeaders,
  guessCreatedAt,
  guessEvent,
  guessId,
  type GuessedPlace,
  listedEvents,
} from './guessPlaces.ts';
import type { GuessedService } from './guessService.ts';
import type { OpenedDocument } from './openedDocument.ts';

/** What a draft says. Members that are not there were not found. */
export interface Draft {
  readonly title: string;
  readonly source?: string;
  /** As the draft names the document. */
  readonly openapi: string;
  readonly method: Guess<string>;
  readonly mediaType: Guess<string>;
  readonly event: Guess<GuessedPlace>;
  readonly id?: Guess<GuessedPlace>;
  readonly createdAt?: Guess<GuessedPlace>;
  readonly accepts: Guess<readonly (string | number)[]>;
  readonly signature?: Guess<SignatureForm>;
  /** Headers that the document requires, beside those that are named elsewhere in the draft; no value where it shows none. */
  readonly headers: readonly (readonly [name: string, value: string | undefined])[];
  /** The events and the places of their schemas, where the document has no webhooks; nothing for what it has none of. */
  readonly events?: Guess<readonly (readonly [name: string, pointer: string | undefined])[]>;
  /** Why others that the document seems to send are not among them, a sentence each. */
  readonly leftOut: readonly string[];
  /** The API by which webhooks are registered, where the document has one. */
  readonly service?: GuessedService;
}

/** @param openapi - the path of the document, as the draft names it */
export function draftOf({ root, bodies, why, leftOut, service }: OpenedDocument, openapi: string): Draft {
  const info = isRecord(root['info']) ? root['info'] : {};
  const { title, description } = info;
  const link = isRecord(root['externalDocs']) ? root['externalDocs']['url'] : undefined;
  const event = guessEvent(bodies);
  const [id, createdAt] = [guessId(bodies), guessCreatedAt(bodies)];
  const signature = guessSignature(bodies, commonHeaders(bodies), typeof description === 'string' ? [description] : []);
  return {
    title: typeof title === 'string' ? title : 'Webhooks',
    ...(typeof link === 'string' && { source: link }),
    openapi,
    method: commonest(
      bodies.map(({ method }) => method),
      'POST',
    ),
    mediaType: commonest(
      bodies.map(({ mediaType }) => mediaType),
      'application/json',
    ),
    event,
    ...(id && { id }),
    ...(createdAt && { createdAt }),
    accepts: acceptedBy(bodies),
    ...(signature && { signature }),
    headers: otherHeaders(bodies, [event.value.at, id?.value.at ?? '', ...Object.keys(signature?.value.headers ?? {})]),
    ...(why !== undefined && { events: { value: eventsOf(bodies, event.value, service), why } }),
    leftOut,
    ...(service && { service }),
  };
}

/** @param named - headers that the draft names already, as such or as runtime expressions */
function otherHeaders(bodies: readonly WebhookBody[], named: readonly string[]): Draft['headers'] {
  const all = ['Content-Type', ...named].map((each) => each.replace('$request.header.', ''));
  return commonHeaders(bodies)
    .filter(({ name, isRequired }) => isRequired && !all.some((each) => isSameName(each, name)))
    .map(({ name, example }) => [name, example]);
}

/** Events, each with the place of its schema; those of subscriptions where nothing describes what is sent. */
function eventsOf(bodies: readonly WebhookBody[], place: GuessedPlace, service: GuessedService | undefined) {
  const named = (body: WebhookBody): readonly string[] => {
    const listed = listedEvents(body, place);
    return listed.length > 0 ? listed : [body.key];
  };
  if (bodies.length > 0) return bodies.flatMap((body) => named(body).map((name) => [name, body.pointer] as const));
  return (service?.events ?? []).map((name) => [name, undefined] as const);
}

function commonest(values: readonly string[], usual: string): Guess<string> {
  const counted = [...Map.groupBy(values, (value) => value)].toSorted(([, a], [, b]) => b.length - a.length);
  const [[value, all] = [usual, values] as const] = counted;
  return all.length === values.length
    ? { value }
    : { value, why: `${all.length} of ${values.length} webhooks; the others are left out` };
}

function acceptedBy(bodies: readonly WebhookBody[]): Guess<readonly (string | number)[]> {
  const declared = [...new Set(bodies.flatMap(({ responses }) => responses))]
    .filter((status) => status.startsWith('2'))
    .toSorted();
  if (declared.length === 0) return { value: ['2XX'], why: 'the document declares no responses of webhooks' };
  const value = declared.map((status) => (/^\d+$/.test(status) ? Number(status) : status));
  return { value, why: 'the responses of the document; many providers accept any status of 2XX' };
}

const signatureName = /signature|hmac|[-_]sign$/i;
const timestampName = /(timestamp|[-_]time)$/i;

/** How deliveries are signed: by a header that is named like it, or that a description names. */
function guessSignature(
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
  const timestamp = headers.find((header) => timestampName.test(header.name));
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
  timestamp: WebhookHeader | undefined,
): Pick<SignatureForm, 'signed' | 'headers'> {
  const parts = partsIn(said);
  if (parts !== undefined) return { signed: signedIn(said), headers: { [name]: parts } };
  const [prefix = ''] = /\b(?:sha(?:1|256|512)|v[0-9])=/.exec(said) ?? (name.endsWith('-256') ? ['sha256='] : []);
  const headers = { [name]: `${prefix}{digest}` };
  if (timestamp === undefined) return { headers };
  const time = /milliseconds|\bms\b/i.test(describedBy(timestamp)) ? '{timestamp}000' : '{timestamp}';
  return {
    signed: signedIn(said).replace('{timestamp}', time),
    headers: { ...headers, [timestamp.name]: time },
  };
}

const twoParts =
  /\b([A-Za-z]\w{0,15})=(<[^<>]{1,80}>|\{[^{}]{1,80}\}|[^\s,;&"'`=]{1,80}=*)([,;&] ?)([A-Za-z]\w{0,15})=([^\s,;&"'`]{1,200})/g;

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
