import type { Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { webhookStrings } from './customHeader.ts';
import type { Json } from '../json/json.ts';
import { operationBody } from '../schema/operationBody.ts';
import { schemaArbitrary } from '../schema/schemaArbitrary.ts';
import type { ResourceOptions } from './webhook.ts';

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
