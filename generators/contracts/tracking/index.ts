import type { Arbitrary } from 'fast-check';

import type { Contract } from '../../../spec/contract.ts';
import { operationBody, type ResourceOptions } from '../../calls/requestBodies.ts';
import type { Json } from '../../json/json.ts';
import { schemaArbitrary } from '../../schema/schemaArbitrary.ts';
import { stringsOf } from '../index.ts';

export {
  billOfLading,
  bookingNumber,
  containerCheckDigit,
  containerNumber,
  imoCheckDigit,
  imoNumber,
  locode,
  scac,
  shippingLineScacs,
  trackingNumber,
  voyageNumber,
  type BillOfLadingConstraints,
  type ContainerNumberConstraints,
} from './tradeNumbers.ts';

/**
 * For the bodies that ask for a shipment to be tracked (contract, section 2.3): a bill of lading, booking or container
 * number, and a shipping line's SCAC. Shrinks to the first line and a number of zeros.
 *
 * @throws RangeError where the contract has no such operation
 */
export function trackingRequest(contract: Contract, options: ResourceOptions = {}): Arbitrary<Json> {
  return schemaArbitrary(operationBody(contract, 'track'), { ...options, strings: stringsOf(contract) });
}
