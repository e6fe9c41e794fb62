import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { matching } from '../schema/stringMatching.ts';

/** Whole numbers of nine to fifteen digits, which every parser of JSON reads exactly. */
const integers = '[1-9][0-9]{8,14}';

/**
 * For ids of the form that the contract gives to its deliveries. A contract without ids has uuids.
 *
 * @throws UnsupportedSchema where no id of that form can be made
 */
export function deliveryId({ delivery }: Pick<Contract, 'delivery'>): Arbitrary<string> {
  const form = delivery.id?.form ?? 'uuid';
  if (form === 'uuid') return fc.uuid({ version: 4 });
  return matching(`^(?:${form === 'integer' ? integers : form})$`, '/id/form');
}
