import type { Notification } from '../../../generators/notification/notification.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit, SigningKit } from '../../kit.ts';
import { withSignatureField } from '../signatureHeader.ts';
import { filled } from './setting.ts';

/** Whether a digest is of some kind. */
export type SuitsDigest = (bytes: Buffer, text: string) => boolean;

/** Deliveries composed at most until one has a digest of the kind: one in 16 has the rarest. */
const composed = 600;

/**
 * A delivery of the notification whose right digest suits; nothing where none of many does. Where neither the id nor the time is
 * signed, every delivery of a body has one digest: it then ends in more and more spaces.
 */
export function composedSo(kit: ReceiverKit, notification: Notification, suits: SuitsDigest): Delivery | undefined {
  const seen = new Set<string>();
  for (let [tried, spaces] = [0, 0]; tried < composed; tried++) {
    const rewrite = (body: Buffer): Buffer => filled(body, body.length + spaces);
    const delivery = kit.compose(notification, spaces === 0 ? {} : { rewrite });
    const text = digestOf(kit, delivery);
    if (suits(Buffer.from(text, kit.scheme.digest), text)) return delivery;
    if (spaces > 0 || seen.has(text)) spaces += 1;
    seen.add(text);
  }
  return undefined;
}

function digestOf(kit: SigningKit, delivery: Delivery): string {
  let digest = '';
  withSignatureField(kit, delivery, 'digest', (text) => (digest = text));
  return digest;
}
