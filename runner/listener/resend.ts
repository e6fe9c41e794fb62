import { signatureHeaders } from '../../spec/signature.ts';
import type { Header } from '../../suites/delivery.ts';
import { createDeliverer } from '../http/deliverer.ts';
import type { CaughtRecord } from './deliveryStore.ts';
import { deliveryOf } from './forwarder.ts';
import type { Listener } from './listener.ts';

/** Milliseconds that an answer may take. */
const timeout = 30_000;

/** Times that one delivery is sent again which are kept. */
const most = 20;

/**
 * Sends a delivery again to a receiver on this machine, as the page asks for it.
 *
 * @param asked - `url`; `body` (base64) where it was changed; `sign` where it is to be signed anew
 * @returns why it was not sent, where it was not
 */
export async function resend(
  listener: Listener,
  record: CaughtRecord,
  asked: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const url = URL.parse(String(asked['url']));
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'Give the http or https URL of a receiver.';
  const { body: given } = asked;
  const body = typeof given === 'string' ? Buffer.from(given, 'base64') : record.caught.body;
  const changed = !body.equals(record.caught.body);
  const { headers, ...delivery } = deliveryOf(record.caught);
  const sent = asked['sign'] === true ? signedAnew(listener, { headers, body, id: delivery.id }) : headers;
  const deliverer = createDeliverer({ url, timeout, concurrency: 1, headers: [], reach: 'loopback' });
  try {
    const answer = await deliverer.deliver({ ...delivery, headers: sent, body });
    const resent = { at: Date.now(), url: `${url.origin}${url.pathname}`, changed, answer };
    record.resent = [...record.resent, resent].slice(-most);
    listener.changed(record);
    return undefined;
  } finally {
    await deliverer.close();
  }
}

interface Signed {
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly id: string;
}

function signedAnew({ kit }: Listener, { headers, body, id }: Signed): readonly Header[] {
  const [secret] = kit.secrets;
  if (secret === undefined || kit.contract.delivery.signature === undefined) return headers;
  const { scheme, header } = kit.signing;
  const fresh = signatureHeaders(scheme, header, { secret, body, id, timestamp: Math.floor(Date.now() / 1000) });
  const names = new Set(fresh.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...fresh];
}
