import fc, { type Arbitrary } from 'fast-check';

import type { Contract, JsonSchema } from '../../spec/contract.ts';
import type { Json } from '../json/json.ts';
import { plainElse } from './plainBody.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from '../schema/schemaArbitrary.ts';
import type { OperationRole } from '../../spec/names.ts';
import { lazily } from '../arbitraries.ts';
import type { StringSource } from '../schema/schemaContext.ts';
import { stringsOf } from '../contracts/index.ts';

/**
 * For the bodies that ask for a sample notification (contract, section 4.2): an https url, an event, and mostly a
 * secret. Shrinks to the required members.
 *
 * @throws RangeError where the contract has no such operation
 */
export function trigger(contract: Contract, options: ResourceOptions = {}): Arbitrary<Json> {
  return schemaArbitrary(operationBody(contract, 'sample'), { ...options, strings: webhookStrings(contract) });
}

/**
 * For the bodies that create a webhook (contract, section 4.1): with an https url, with and without events and headers.
 * Shrinks to the required members.
 *
 * @throws RangeError where the contract has no such operation
 * @example webhookCreation(contract, { members: { '/data/attributes/active': fc.constant(false) } })
 */
export function webhookCreation(contract: Contract, options: ResourceOptions = {}): Arbitrary<Json> {
  const members = { ...plainElse(contract), ...options.members };
  return schemaArbitrary(operationBody(contract, 'create'), { ...options, members, strings: webhookStrings(contract) });
}

/** Constraints of the arbitraries for resources and requests. */
export type ResourceOptions = Omit<SchemaArbitraryOptions, 'strings'>;

/**
 * For webhook resources as the service answers them (contract, section 2.1): valid for the contract's schema, with an
 * https url and header names and values that HTTP can carry. Shrinks to the required members and one event.
 *
 * @throws ContractError where the contract has no schema of this name
 */
export function webhook(contract: Contract, options: ResourceOptions = {}): Arbitrary<Json> {
  return schemaArbitrary(contract.schema('Webhook'), { ...options, strings: webhookStrings(contract) });
}

/**
 * The schema of what an operation of the contract takes as its body; of several media types, the first one's.
 *
 * @throws ContractError for a role that the contract does not have; RangeError for an operation that takes no body
 */
export function operationBody(contract: Contract, role: OperationRole): JsonSchema {
  const { operationId, request } = contract.operation(role);
  const content = Object.values(request)[0];
  if (content !== undefined) return content.schema;
  const known = contract.operations.filter(({ request }) => Object.keys(request).length > 0);
  throw new RangeError(
    `The contract has no operation '${operationId}' with a body. It has ${known.map((each) => each.operationId).join(', ')}.`,
  );
}

const names = lazily(() => fc.stringMatching(/^X-[A-Z][a-z0-9]{0,11}$/));
const values = lazily(() => fc.stringMatching(/^[!-~]{1,12}( [!-~]{1,12}){0,2}$/));

/**
 * For names of custom HTTP headers (RFC 9110, 5.1), `X-` and up to 12 letters and digits: never one that HTTP or a
 * client gives a meaning to. Shrinks to `X-A`.
 */
export function customHeaderName(): Arbitrary<string> {
  return names;
}

/** For values of custom HTTP headers: visible ASCII, with single spaces within (RFC 9110, 5.5). Shrinks to one word. */
export function customHeaderValue(): Arbitrary<string> {
  return values;
}

/** The strings of the contract, and names and values where the contract lists the custom headers of a webhook. */
function webhookStrings(contract: Contract): StringSource {
  const strings = stringsOf(contract);
  const headers = contract.service?.webhook.members.headers;
  return (schema, at) => {
    if (headers !== undefined && at?.endsWith(`${headers}/-/name`)) return customHeaderName();
    if (headers !== undefined && at?.endsWith(`${headers}/-/value`)) return customHeaderValue();
    return strings(schema, at);
  };
}

/** A text that is no URL, and what is wrong with it. */
export interface InvalidUrl {
  readonly url: string;
  /** In a few words, to follow "a url": "without a scheme". */
  readonly flaw: string;
}

const flaws: readonly (readonly [flaw: string, spoil: (host: string) => string])[] = [
  ['without a scheme', (host) => `${host}/hooks`],
  ['that is relative', (host) => `/hooks/${host}`],
  ['without a scheme, but with slashes', (host) => `//${host}/hooks`],
  ['that is empty', () => ''],
  ['that is blank', () => ' '],
  ['that is some words', (host) => `not a url: ${host}`],
  ['with a space in its host', (host) => `https://a ${host}/hooks`],
  ['without a colon after its scheme', (host) => `https//${host}/hooks`],
  ['with an empty scheme', (host) => `://${host}/hooks`],
  ['with an IPv6 address that is not closed', () => 'https://[::1/hooks'],
  ['with a forbidden character in its host', (host) => `https://a^${host}/hooks`],
];

/**
 * For texts that no reader takes for an absolute URL: neither a URL parser (WHATWG, and Go's, which takes `<` and `>` in a
 * host) nor the format `uri` (RFC 3986).
 * Shrinks to the first flaw and a short host.
 */
export function invalidUrl(): Arbitrary<InvalidUrl> {
  return fc.oneof({ withCrossShrink: true }, ...invalidUrlKinds());
}

/** The same, one arbitrary for each flaw. */
export function invalidUrlKinds(): readonly Arbitrary<InvalidUrl>[] {
  const host = fc.stringMatching(/^[a-z]{1,12}$/).map((label) => `${label}.example`, labelOf);
  return flaws.map(([flaw, spoil]) =>
    (spoil.length === 0 ? fc.constant('') : host).map((name) => ({ flaw, url: spoil(name) })),
  );
}

function labelOf(host: unknown): string {
  if (typeof host === 'string' && host.endsWith('.example')) return host.slice(0, -'.example'.length);
  throw new Error('not a host of this kind');
}
