import { randomInt, randomUUID } from 'node:crypto';

import fc, { type Arbitrary } from 'fast-check';

import { deliveryId } from '../../generators/notification/deliveryId.ts';
import { UnsupportedSchema } from '../../generators/schema/schemaContext.ts';
import type { Contract } from '../../spec/contract.ts';
import { UsageError } from '../errors.ts';

/**
 * An id of the form that the contract gives to its deliveries. A contract without ids has uuids.
 *
 * @param seed - the same seed gives the same id. Default: one that no run has used before
 * @throws UsageError where no id of that form can be made
 */
export function newId(contract: Contract, seed?: number): string {
  const form = contract.delivery.id?.form ?? 'uuid';
  if (form === 'uuid' && seed === undefined) return randomUUID();
  const [id] = fc.sample(idsOf(contract), { numRuns: 1, seed: seed ?? randomInt(2 ** 32) });
  return id!;
}

/** By form: to read a pattern takes far longer than to make an id by it, and every delivery has one. */
const idsByForm = new Map<string, Arbitrary<string>>();

function idsOf(contract: Contract): Arbitrary<string> {
  const form = contract.delivery.id?.form ?? 'uuid';
  const ids = idsByForm.get(form) ?? fc.noBias(possibleIds(contract));
  idsByForm.set(form, ids);
  return ids;
}

function possibleIds(contract: Contract): Arbitrary<string> {
  try {
    return deliveryId(contract);
  } catch (cause) {
    if (!(cause instanceof UnsupportedSchema)) throw cause;
    throw new UsageError(
      'SW_CONTRACT_INVALID',
      {
        received: `no id of the form that the contract ${contract.name} gives can be made: ${cause.received}`,
        valid: 'uuid, or a regular expression for the whole id, such as evt_[a-z0-9]{20}',
        next: 'write /id/form in a simpler way',
      },
      { cause },
    );
  }
}
