import type { Arbitrary } from 'fast-check';

import { hasTimestamp } from '../../spec/signature.ts';
import type { Json } from '../json/json.ts';
import { deliveryHeaders } from './deliveryHeaders.ts';
import { contractOf, type IdentifiedNotification, type OfContract } from './namedNotification.ts';

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
