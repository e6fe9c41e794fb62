import { randomInt, randomUUID } from 'node:crypto';

import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import type { Header } from '../../suites/delivery.ts';

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
 */
export function newId({ delivery }: Contract, seed?: number): string {
  const form = delivery.id?.form ?? 'uuid';
  if (form === 'uuid' && seed === undefined) return randomUUID();
  const [id] = fc.sample(idsOf(form), { numRuns: 1, seed: seed ?? randomInt(2 ** 32) });
  return id!;
}

/** By form: to read a pattern takes far longer than to make an id by it, and every delivery has one. */
const idsByForm = new Map<string, Arbitrary<string>>();

function idsOf(form: string): Arbitrary<string> {
  const known = idsByForm.get(form);
  if (known !== undefined) return known;
  const ids = fc.noBias(form === 'uuid' ? fc.uuid({ version: 4 }) : fc.stringMatching(new RegExp(`^(?:${form})$`)));
  idsByForm.set(form, ids);
  return ids;
}
