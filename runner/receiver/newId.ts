import { randomInt, randomUUID } from 'node:crypto';

import fc from 'fast-check';

import type { Contract } from '../../spec/contract.ts';

/** An id of the form that the contract gives to its deliveries, which no run has used before. A contract without ids has uuids. */
export function newId({ delivery }: Contract): string {
  const form = delivery.id?.form ?? 'uuid';
  if (form === 'uuid') return randomUUID();
  const [id] = fc.sample(fc.stringMatching(new RegExp(`^(?:${form})$`)), { numRuns: 1, seed: randomInt(2 ** 32) });
  return id!;
}
