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
