import type { Delivery, Header } from '../delivery.ts';
import type { ReceiverKit } from '../kit.ts';

/** The value of the header that carries the signature. */
export function signatureValue(kit: ReceiverKit, delivery: Delivery): string {
  const found = delivery.headers.find(([name]) => isSignature(kit, name));
  if (!found) throw new Error('The delivery carries no signature: sign it before it is changed.');
  return found[1];
}

/** The headers with the signature's value replaced. */
export function withSignatureValue(
  kit: ReceiverKit,
  delivery: Delivery,
  change: (value: string) => string,
): readonly Header[] {
  return delivery.headers.map(([name, value]) => (isSignature(kit, name) ? [name, change(value)] : [name, value]));
}

export function isSignature(kit: ReceiverKit, name: string): boolean {
  return name.toLowerCase() === kit.signatureHeader.toLowerCase();
}
