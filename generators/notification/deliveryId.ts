import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';

/** For ids of the form that the contract gives to its deliveries. A contract without ids has uuids. */
export function deliveryId({ delivery }: Contract): Arbitrary<string> {
  const form = delivery.id?.form ?? 'uuid';
  return form === 'uuid' ? fc.uuid({ version: 4 }) : fc.stringMatching(new RegExp(`^(?:${form})$`));
}
