import { type SignatureScheme, signatureHeaderName, signatureHeaders, verifySignature } from '../../spec/signature.ts';
import type { Delivery } from '../../suites/delivery.ts';
import type { ReceiverKit } from '../../suites/kit.ts';
import { headerValue } from '../../spec/headerText.ts';

const timestamp = 1_760_000_000;
const body = Buffer.from('{"data":{"id":"7"}}');

/** The little of a kit that a forgery needs, and a delivery that is signed under this scheme. */
export function signing(
  scheme: SignatureScheme,
  secret = 'whsec_bm8gb25lIGtub3dzIHRoaXMga2V5IGF0IGFsbA==',
): {
  kit: ReceiverKit;
  delivery: Delivery;
  isGenuine: (delivery: Delivery) => boolean;
} {
  const header = signatureHeaderName(scheme, 'X-Signature');
  const sign = (bytes: Buffer, id: string, key = secret) =>
    signatureHeaders(scheme, header, { secret: key, body: bytes, id, timestamp });
  const kit: Pick<ReceiverKit, 'scheme' | 'signatureHeader' | 'sign' | 'secrets'> = {
    scheme,
    signatureHeader: header,
    sign,
    secrets: [secret],
  };
  const delivery = { id: '7', event: 'e', method: 'POST', body, headers: sign(body, '7') };
  const isGenuine = ({ headers }: Delivery) =>
    verifySignature(scheme, header, (name) => headerValue(headers, name), { secret, body });
  return { kit: kit as ReceiverKit, delivery, isGenuine };
}
