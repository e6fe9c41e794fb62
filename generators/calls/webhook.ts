import type { Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { webhookStrings } from './customHeader.ts';
import type { Json } from '../json/json.ts';
import { schemaArbitrary, type SchemaArbitraryOptions } from '../schema/schemaArbitrary.ts';

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
