import { randomInt, randomUUID } from 'node:crypto';

import fc, { type Arbitrary } from 'fast-check';

import { deliveryId } from '../../generators/notification/namedNotification.ts';
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
  const ids = idsOf(contract);
  if (seed !== undefined) return drawn(ids, seed);
  for (let tried = 0; tried < most; tried++) {
    const id = drawn(ids, randomInt(2 ** 32));
    if (ids.made.has(id)) continue;
    ids.made.add(id);
    return id;
  }
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `no further id of the form ${form} can be made: ${ids.made.size} were used`,
    valid: 'a form with more ids',
    next: 'write a longer /id/form',
  });
}

/** Draws until it is said that no further id can be made. */
const most = 100;

interface Ids {
  readonly arbitrary: Arbitrary<string>;
  /** Of how many the longest is taken: where ids may be short, others were hardly ever used before. */
  readonly of: number;
  /** What this process has made: two deliveries with one id would be taken for a redelivery. */
  readonly made: Set<string>;
}

function drawn({ arbitrary, of }: Ids, seed: number): string {
  const ids = fc.sample(arbitrary, { numRuns: of, seed });
  return ids.reduce((longest, id) => (id.length > longest.length ? id : longest));
}

/** By form: to read a pattern takes far longer than to make an id by it, and every delivery has one. */
const idsByForm = new Map<string, Ids>();

function idsOf(contract: Contract): Ids {
  const form = contract.delivery.id?.form ?? 'uuid';
  const known = idsByForm.get(form);
  if (known !== undefined) return known;
  const arbitrary = fc.noBias(possibleIds(contract));
  const lengths = fc.sample(arbitrary, { numRuns: 20, seed: 1 }).map(({ length }) => length);
  const ids = { arbitrary, of: new Set(lengths).size > 1 ? 8 : 1, made: new Set<string>() };
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
