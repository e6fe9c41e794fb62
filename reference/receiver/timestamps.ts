import type { ReceiverPolicies } from './policies.ts';
import type { ArrivedDelivery, StampedSignature } from './records.ts';

/**
 * Whether a delivery was signed by one of the secrets, and not too long ago.
 *
 * @param tolerance - milliseconds by which a timestamp may differ from the clock; nothing where signatures carry none
 */
export function isGenuine(
  delivery: ArrivedDelivery,
  { policies, tolerance }: { readonly policies: ReceiverPolicies; readonly tolerance: number | undefined },
): boolean {
  if (tolerance === undefined) return policies.verify(delivery);
  const stamped = policies.readStamped(delivery.signature ?? '');
  if (stamped === undefined) return false;
  const { timestamp, signatures } = stamped;
  const body = Buffer.concat([Buffer.from(`${timestamp}.`), delivery.body]);
  const isSigned = signatures.some((signature) => policies.verify({ ...delivery, body, signature }));
  return isSigned && policies.isTimely(Number(timestamp) * 1000, { now: Date.now(), tolerance });
}

/** Parts with other names are signatures of other versions. */
export function readStamped(header: string): StampedSignature | undefined {
  const parts = header.split(',');
  const [timestamp, ...others] = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
  if (timestamp === undefined || others.length > 0 || !/^(0|[1-9]\d{0,14})$/.test(timestamp)) return undefined;
  return { timestamp, signatures: parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3)) };
}
