import { randomInt, randomUUID } from 'node:crypto';

import fc, { type Arbitrary } from 'fast-check';

import { UnsupportedSchema } from '../../generators/schema/schemaContext.ts';
import { matching } from '../../generators/schema/stringMatching.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Header } from '../../suites/delivery.ts';
import { UsageError } from '../errors.ts';

/** The headers that name the id and the event, where the contract has them there and no signature brings them along. */
export function namingHeaders(
  { delivery, events }: Contract,
  { id, event }: { readonly id: string; readonly event: string },
): readonly Header[] {
  const signed = (delivery.signature?.headers ?? []).flatMap(({ name = '' }) => name.toLowerCase());
  const value = events.find(({ name }) => name === event)?.value ?? event;
  const named = [
    ...(delivery.id?.at.in === 'header' ? [[delivery.id.at.name, id] as const] : []),
    ...(delivery.event.in === 'header' ? [[delivery.event.name, value] as const] : []),
  ];
  return [...delivery.headers, ...named].filter(([name]) => !signed.includes(name.toLowerCase()));
}

/**
 * An id of the form that the contract gives to its deliveries. A contract without ids has uuids.
 *
 * @param seed - the same seed gives the same id. Default: one that no run has used before
 * @throws UsageError where no id of that form can be made
 */
export function newId({ delivery, name }: Contract, seed?: number): string {
  const form = delivery.id?.form ?? 'uuid';
  if (form === 'uuid' && seed === undefined) return randomUUID();
  const ids = form === 'uuid' ? fc.uuid({ version: 4 }) : idsOf(form, name);
  const [id] = fc.sample(fc.noBias(ids), { numRuns: 1, seed: seed ?? randomInt(2 ** 32) });
  return id!;
}

function idsOf(form: string, contract: string): Arbitrary<string> {
  try {
    return matching(`^(?:${form})$`, '/id/form');
  } catch (cause) {
    if (!(cause instanceof UnsupportedSchema)) throw cause;
    throw new UsageError(
      'SW_CONTRACT_INVALID',
      {
        received: `no id of the form that the contract ${contract} gives can be made: ${cause.received}`,
        valid: 'uuid, or a regular expression for the whole id, such as evt_[a-z0-9]{20}',
        next: 'write /id/form in a simpler way',
      },
      { cause },
    );
  }
}
