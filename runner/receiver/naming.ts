import { randomInt, randomUUID } from 'node:crypto';

import fc from 'fast-check';

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

/** An id of the form that the contract gives to its deliveries, which no run has used before. A contract without ids has uuids. */
export function newId({ delivery }: Contract): string {
  const form = delivery.id?.form ?? 'uuid';
  if (form === 'uuid') return randomUUID();
  const [id] = fc.sample(fc.stringMatching(new RegExp(`^(?:${form})$`)), { numRuns: 1, seed: randomInt(2 ** 32) });
  return id!;
}
