import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { lazily } from '../lazily.ts';
import type { StringSource } from '../schema/schemaContext.ts';
import { stringsOf } from '../contracts/index.ts';

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
export function webhookStrings(contract: Contract): StringSource {
  const strings = stringsOf(contract);
  const headers = contract.service?.webhook.members.headers;
  return (schema, at) => {
    if (headers !== undefined && at?.endsWith(`${headers}/-/name`)) return customHeaderName();
    if (headers !== undefined && at?.endsWith(`${headers}/-/value`)) return customHeaderValue();
    return strings(schema, at);
  };
}
