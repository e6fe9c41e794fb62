import type { Contract } from '../../spec/contract.ts';
import { signatureHeaders } from '../../spec/signature.ts';

type Header = readonly [name: string, value: string];

/** What the headers of a delivery are made of. */
export interface HeaderInput {
  readonly id: string;
  readonly event: string;
  /** As it is sent. */
  readonly body: Uint8Array;
  /** Default: it is not signed. */
  readonly secret: string | undefined;
  /** Whole seconds since the epoch; only signatures with a timestamp use it. */
  readonly timestamp: number;
}

/** The headers of a delivery as the contract describes them: media type, id, event and signature. */
export function deliveryHeaders(contract: Contract, input: HeaderInput): readonly Header[] {
  return [
    ['Content-Type', contract.delivery.mediaType],
    ...namingHeaders(contract, input),
    ...signatureOf(contract, input),
  ];
}

/** The headers that name the id and the event, where the contract has them there and no signature brings them along. */
export function namingHeaders(
  { delivery, events }: Contract,
  { id, event }: { readonly id: string; readonly event: string },
): readonly Header[] {
  const signed = (delivery.signature?.headers ?? []).flatMap(({ name = '' }) => name.toLowerCase());
  const value = events.find(({ name }) => name === event)?.value ?? event;
  const others = delivery.headers.map(([name, text]) => [name, text.replaceAll('{id}', () => id)] as const);
  const named = [
    ...(delivery.id?.at.in === 'header' ? [[delivery.id.at.name, id] as const] : []),
    ...(delivery.event.in === 'header' ? [[delivery.event.name, value] as const] : []),
  ];
  return [...others, ...named].filter(([name]) => !signed.includes(name.toLowerCase()));
}

/** The headers of the signature; without a secret those that carry something else than a digest. */
function signatureOf({ delivery: { signature } }: Contract, { secret, ...input }: HeaderInput): readonly Header[] {
  if (signature === undefined) return [];
  const all = signatureHeaders(signature, '', { ...input, secret: secret ?? '' });
  return secret === undefined ? all.filter((_, place) => place > 0) : all;
}
