import { randomUUID } from 'node:crypto';

import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { notification, type Notification, withId, writeJson } from '../generators/index.ts';
import { loadContract } from '../spec/contract.ts';
import { parseScheme, signatureHeaders } from '../spec/signature.ts';
import type { Delivery } from '../suites/delivery.ts';

/** The contract whose deliveries are made. */
export const contract = loadContract();
const scheme = parseScheme('hmac-sha256-hex');
const arbitraries = contract.events.map((event) => notification(contract, event));
const random = new fc.Random(xoroshiro128plus(1));
let made = 0;

/** A notification of the next event in the catalogue. */
export function nextNotification(): Notification {
  return arbitraries[made++ % arbitraries.length]!.generate(random, undefined).value_;
}

/** A notification under a fresh id, written and signed: what the engine sends. */
export function nextDelivery(): Delivery {
  const { event, value } = nextNotification();
  const { method, mediaType } = contract.delivery;
  const id = randomUUID();
  const body = writeJson(withId(contract, { event, value }, id).value, []);
  const signature = signatureHeaders(scheme, 'X-Signature', { secret: 'bench', body, id, timestamp: 0 });
  return { id, event, method, headers: [['Content-Type', mediaType], ...signature], body };
}
