import { randomUUID } from 'node:crypto';

import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { notification, withId, writeJson } from '../generators/index.ts';
import { loadContract } from '../spec/contract.ts';
import { parseScheme, signatureHeaders } from '../spec/signature.ts';
import type { Delivery } from '../suites/delivery.ts';

const contract = loadContract();
const scheme = parseScheme('hmac-sha256-hex');
const arbitraries = contract.events.map((event) => notification(contract, event));
const random = new fc.Random(xoroshiro128plus(1));
let made = 0;

/** A notification of the next event in the catalogue, under a fresh id, written and signed: what the engine sends. */
export function nextDelivery(): Delivery {
  const { event, value } = arbitraries[made++ % arbitraries.length]!.generate(random, undefined).value_;
  const { method, mediaType } = contract.delivery;
  const id = randomUUID();
  const body = writeJson(withId(contract, { event, value }, id).value, []);
  const signature = signatureHeaders(scheme, 'X-Signature', { secret: 'bench', body, id, timestamp: 0 });
  return { id, event, method, headers: [['Content-Type', mediaType], ...signature], body };
}

/** Notifications that are generated, serialised and signed in a second, measured over `ms` milliseconds. */
export function notificationsPerSecond(ms: number): number {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < ms) {
    nextDelivery();
    count += 1;
  }
  return (count * 1000) / (performance.now() - start);
}
