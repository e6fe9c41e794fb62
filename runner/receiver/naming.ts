import { randomInt, randomUUID } from 'node:crypto';

import fc from 'fast-check';

import { deliveryId } from '../../generators/notification/deliveryId.ts';
import type { Contract } from '../../spec/contract.ts';

/**
 * An id of the form that the contract gives to its deliveries. A contract without ids has uuids.
 *
 * @param seed - the same seed gives the same id. Default: one that no run has used before
 */
export function newId(contract: Contract, seed?: number): string {
  const form = contract.delivery.id?.form ?? 'uuid';
  if (form === 'uuid' && seed === undefined) return randomUUID();
  const [id] = fc.sample(fc.noBias(deliveryId(contract)), { numRuns: 1, seed: seed ?? randomInt(2 ** 32) });
  return id!;
}
