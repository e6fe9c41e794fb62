import type { ReceiverPolicies } from './policies.ts';
import type { ArrivedDelivery } from './records.ts';

/** What the header of a signature with a timestamp holds: `t=1700000000,v1=5257a8...`. */
interface StampedSignature {
  /** As it stands there, for that is what was signed. */
  readonly timestamp: string;
  /** More than one while a secret is being replaced. */
  readonly signatures: readonly string[];
}

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
  const stamped = readStamped(delivery.signature);
  if (stamped === undefined) return false;
  const { timestamp, signatures } = stamped;
  const body = Buffer.concat([Buffer.from(`${timestamp}.`), delivery.body]);
  const isSigned = signatures.some((signature) => policies.verify({ ...delivery, body, signature }));
  return isSigned && policies.isTimely(Number(timestamp) * 1000, { now: Date.now(), tolerance });
}

/** Parts with other names are signatures of other versions. */
function readStamped(header = ''): StampedSignature | undefined {
  const parts = header.split(',');
  const [timestamp, ...others] = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
  if (timestamp === undefined || others.length > 0 || !/^(0|[1-9]\d{0,14})$/.test(timestamp)) return undefined;
  return { timestamp, signatures: parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3)) };
}
