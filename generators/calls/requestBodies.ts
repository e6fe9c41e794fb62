import type { Arbitrary } from 'fast-check';

import type { Contract, JsonSchema } from '../../spec/contract.ts';
import { webhookStrings } from './customHeader.ts';
import type { Json } from '../json/json.ts';
import { plainElse } from './plainBody.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from '../schema/schemaArbitrary.ts';
import type { OperationRole } from '../../spec/names.ts';

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
