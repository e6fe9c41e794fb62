import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { matching } from '../schema/stringMatching.ts';

/**
 * For ids of the form that the contract gives to its deliveries. A contract without ids has uuids.
 *
 * @throws UnsupportedSchema where no id of that form can be made
 */
export function deliveryId({ delivery }: Pick<Contract, 'delivery'>): Arbitrary<string> {
  const form = delivery.id?.form ?? 'uuid';
  return form === 'uuid' ? fc.uuid({ version: 4 }) : matching(`^(?:${form})$`, '/id/form');
}
