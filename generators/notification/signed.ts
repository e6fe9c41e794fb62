import type { Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { signatureHeaders, hasTimestamp } from '../../spec/signature.ts';
import type { Json } from '../json/json.ts';
import { contractOf, type IdentifiedNotification, type OfContract } from './namedNotification.ts';

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

/** How a notification is signed. */
export interface SigningOptions extends OfContract {
  /** The secret that the receiver verifies with. */
  readonly secret: string;
  /** When it is signed, in whole seconds since the epoch. Contracts whose signatures hold a time need it. */
  readonly timestamp?: number | undefined;
}

/** A delivery, ready to be sent. */
export interface SignedDelivery {
  readonly id: string;
  readonly event: string;
  /** What the body holds. */
  readonly value: Json;
  readonly method: string;
  /** Media type, signature, and whatever else the contract puts there. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes that were signed. */
  readonly body: Buffer<ArrayBuffer>;
}

/**
 * The delivery of a notification, signed as the contract describes it.
 *
 * @throws TypeError where the contract's signatures hold a time, and no `timestamp` was given
 * @example
 * const delivery = signed(notification('orders/create', { contract: 'shopify' }), { secret: 's3cret', contract: 'shopify' });
 * fc.asyncProperty(delivery, async ({ headers, body }) => (await post(headers, body)).status === 202)
 */
export function signed(notification: IdentifiedNotification, options: SigningOptions): SignedDelivery;

/** For deliveries of these notifications. They shrink as the notifications do. */
export function signed(
  notifications: Arbitrary<IdentifiedNotification>,
  options: SigningOptions,
): Arbitrary<SignedDelivery>;

export function signed(
  given: IdentifiedNotification | Arbitrary<IdentifiedNotification>,
  { contract: of, secret, timestamp }: SigningOptions,
): SignedDelivery | Arbitrary<SignedDelivery> {
  const contract = contractOf(of);
  const { signature, method } = contract.delivery;
  if (timestamp === undefined && signature !== undefined && hasTimestamp(signature))
    throw new TypeError(
      `The signatures of the contract ${contract.name} hold a time. Give timestamp: Math.floor(Date.now() / 1000).`,
    );
  const sign = ({ id, event, value }: IdentifiedNotification): SignedDelivery => {
    const body = Buffer.from(JSON.stringify(value));
    const headers = deliveryHeaders(contract, { id, event, body, secret, timestamp: timestamp ?? 0 });
    return { id, event, value, method, headers: Object.fromEntries(headers), body };
  };
  return 'generate' in given ? given.map(sign) : sign(given);
}
