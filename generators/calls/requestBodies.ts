import type { Arbitrary } from 'fast-check';

import type { Contract, JsonSchema } from '../../spec/contract.ts';
import { webhookStrings } from './customHeader.ts';
import type { Json } from '../json/json.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from '../schema/schemaArbitrary.ts';
import { schemasAt } from '../schema/schemaReference.ts';
import type { OperationRole } from '../../spec/names.ts';
import type { WebhookMember } from '../../spec/serviceTerms.ts';

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
  return schemaArbitrary(operationBody(contract, 'create'), { ...options, strings: webhookStrings(contract) });
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

/**
 * Whether the creation of a webhook takes this member, as far as the contract's schema shows: some services let a client set
 * it by an update alone. A schema that does not describe the url either shows nothing.
 */
export function isTakenAtCreation(contract: Contract, name: WebhookMember): boolean {
  const { wrapper = '', members = {} } = contract.service?.webhook ?? {};
  const isDescribed = (place = ''): boolean => schemasAt(operationBody(contract, 'create'), wrapper + place).length > 0;
  const { url, [name]: place } = members as Partial<Record<WebhookMember, string>>;
  return place !== undefined && (isDescribed(place) || !isDescribed(url));
}
