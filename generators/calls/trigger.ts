import type { Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { webhookStrings } from './customHeader.ts';
import type { Json } from '../json/json.ts';
import { operationBody } from '../schema/operationBody.ts';
import { schemaArbitrary } from '../schema/schemaArbitrary.ts';
import type { ResourceOptions } from './webhook.ts';

/**
 * For the bodies that ask for a sample notification (contract, section 4.2): an https url, an event, and mostly a
 * secret. Shrinks to the required members.
 *
 * @throws RangeError where the contract has no such operation
 */
export function trigger(contract: Contract, options: ResourceOptions = {}): Arbitrary<Json> {
  return schemaArbitrary(operationBody(contract, 'sample'), { ...options, strings: webhookStrings(contract) });
}
