import { ContractError } from './contractError.ts';
import { DurationError, parseDuration } from './units.ts';
import { isHeaderName, isHeaderValue } from './headerText.ts';
import { isRecord, type Mapping } from './jsonSchema.ts';
import { didYouMean, nearest } from './nearest.ts';
import {
  digestEncodings,
  keyEncodings,
  signatureAlgorithms,
  type SignatureHeader,
  type SignatureScheme,
  type SigningKey,
} from './signatureScheme.ts';
import { fieldsOf, separatorIn, type TemplateField, templateParts } from './signatureTemplate.ts';

const members = ['algorithm', 'digest', 'key', 'signed', 'several', 'tolerance', 'headers'] as const;

/** Where it stands in a contract, for errors. */
const path = '/signature';

/**
 * Reads the `signature` of a contract.
 *
 * @param form - the mapping as it is written down. Only `headers` is required; defaults: `algorithm: sha256`, `digest: hex`,
 * `key: utf8`, `signed: '{body}'`, no `tolerance`; `several` is what divides the parts of the header with the digest, if it has any
 * @throws ContractError (`contract/signature`) that names the place, what stands there, and what is valid
 *
 * @example
 * parseSignature({ signed: '{timestamp}.{body}', tolerance: '5m', headers: { 'Stripe-Signature': 't={timestamp},v1={digest}' } })
 */
export function parseSignature(form: unknown): SignatureScheme {
  if (!isRecord(form)) throw refused(path, form, `a mapping with ${members.join(', ')}`);
  const unknown = Object.keys(form).find((name) => !members.some((member) => member === name));
  if (unknown !== undefined) throw refused(path, unknown, `the members ${members.join(', ')}`, meant(unknown, members));
  const signed = signedTemplate(form);
  const headers = headersOf(form);
  const separator = severalOf(form, headers[0].template);
  requireCarried(signed, headers);
  const tolerance = toleranceOf(form, signed);
  return {
    name: 'contract',
    algorithm: oneOf(form, 'algorithm', signatureAlgorithms),
    digest: oneOf(form, 'digest', digestEncodings),
    key: keyOf(form),
    signed,
    headers,
    ...(separator !== undefined && { several: separator }),
    ...(form['several'] !== undefined && { isList: true as const }),
    ...(tolerance !== undefined && { tolerance }),
  };
}

const defaults = { algorithm: 'sha256', digest: 'hex' } as const;

function oneOf<T extends string>(form: Mapping, member: keyof typeof defaults, valid: readonly T[]): T {
  const value = form[member] ?? defaults[member];
  const found = valid.find((each) => each === value);
  if (found !== undefined) return found;
  throw refused(`${path}/${member}`, value, valid.join(', '), meant(value, valid));
}

function keyOf({ key = 'utf8' }: Mapping): SigningKey {
  const [, prefix = '', name] = typeof key === 'string' ? (/^(?:([\x21-\x7e]*):)?([^:]*)$/.exec(key) ?? []) : [];
  const encoding = keyEncodings.find((each) => each === name);
  if (encoding !== undefined) return { encoding, prefix };
  const valid = `${keyEncodings.join(', ')}, with a literal prefix that is dropped where there is one (whsec_:base64)`;
  throw refused(`${path}/key`, key, valid, meant(name, keyEncodings));
}

function signedTemplate({ signed = '{body}' }: Mapping): string {
  const valid = 'a text with {body} once, and {timestamp} and {id} where they are signed too ({timestamp}.{body})';
  const template = templateAt(`${path}/signed`, signed, valid, ['body', 'timestamp', 'id']);
  if (fieldsOf(template).filter((field) => field === 'body').length === 1) return template;
  throw refused(`${path}/signed`, signed, valid);
}

function headersOf({ headers }: Mapping): SignatureScheme['headers'] {
  const place = `${path}/headers`;
  const valid = 'names of headers and their templates, one of them with {digest} (X-Signature: sha256={digest})';
  if (!isRecord(headers)) throw refused(place, headers, valid);
  const all = Object.entries(headers).map(([name, value]): SignatureHeader => {
    if (!isHeaderName(name)) throw refused(place, name, 'the name of an HTTP header (RFC 9110)');
    return { name, template: headerTemplate(`${place}/${name}`, value) };
  });
  const isOwn = ({ template }: SignatureHeader): boolean => fieldsOf(template).includes('digest');
  const [own, ...others] = all.filter(isOwn);
  if (own === undefined || others.length > 0) throw refused(place, headers, valid);
  return [own, ...all.filter((header) => !isOwn(header))];
}

function headerTemplate(place: string, value: unknown): string {
  const valid = 'a text with {digest} or {timestamp} (t={timestamp},v1={digest}), or {id} alone';
  const template = templateAt(place, value, valid, ['digest', 'timestamp', 'id']);
  const fields = fieldsOf(template);
  const isPlain = fields.length > 0 && new Set(fields).size === fields.length;
  if (isPlain && isHeaderValue(template) && (template === '{id}' || !fields.includes('id'))) return template;
  throw refused(place, value, valid);
}

/** A text whose placeholders are all known. */
function templateAt(place: string, value: unknown, valid: string, fields: readonly TemplateField[]): string {
  if (typeof value !== 'string' || value === '') throw refused(place, value, valid);
  const named = [...value.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const strange = named.find((name) => !fields.some((field) => field === name));
  if (strange === undefined) return value;
  throw refused(place, value, valid, meant(strange, fields));
}

function severalOf({ several }: Mapping, template: string): string | undefined {
  if (several === undefined) return separatorIn(template);
  const place = `${path}/several`;
  if (typeof several !== 'string' || !/^[\x20-\x7e]{1,4}$/.test(several))
    throw refused(place, several, "what stands between two signatures, one to four characters (',' or ' ')");
  const parts = templateParts(template, several);
  if (parts.every((part) => fieldsOf(part).length === 1)) return several;
  throw refused(place, several, `what divides the parts of ${JSON.stringify(template)}, each with one placeholder`);
}

/** What is signed beside the body has to come along: a receiver could not verify it otherwise. */
function requireCarried(signed: string, headers: SignatureScheme['headers']): void {
  const carried = headers.flatMap(({ template }) => fieldsOf(template));
  const missing = fieldsOf(signed).find((field) => field !== 'body' && !carried.includes(field));
  if (missing === undefined) return;
  const shown = headers.map(({ name, template }) => `${name}: ${template}`).join('; ');
  throw refused(
    `${path}/headers`,
    shown,
    `headers that carry {${missing}} too, because it is signed (add ${missing === 'id' ? 'the header of the id' : 'a header'}: '{${missing}}')`,
  );
}

function toleranceOf({ tolerance }: Mapping, signed: string): number | undefined {
  if (tolerance === undefined) return undefined;
  const place = `${path}/tolerance`;
  if (!fieldsOf(signed).includes('timestamp'))
    throw refused(place, tolerance, 'none, for no timestamp is signed: sign {timestamp}, or leave the tolerance out');
  const valid = 'a duration of ten seconds or more (5m)';
  if (typeof tolerance !== 'string') throw refused(place, tolerance, valid);
  const ms = durationAt(place, tolerance, valid);
  if (ms < 10_000) throw refused(place, tolerance, valid);
  return ms;
}

function durationAt(place: string, text: string, valid: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof DurationError) throw refused(place, text, valid);
    throw error;
  }
}

function meant(word: unknown, candidates: readonly string[]): string | undefined {
  return typeof word === 'string' ? didYouMean(nearest(word, candidates)) : undefined;
}

function refused(place: string, received: unknown, valid: string, hint?: string): ContractError {
  const shown = received === undefined ? 'missing' : JSON.stringify(received);
  const next = hint === undefined ? 'Correct it.' : `Correct it: ${hint}`;
  return new ContractError('contract/signature', `${place} is ${shown}; valid is ${valid}. ${next}`);
}
