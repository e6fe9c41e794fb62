import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { ReceiverPolicies } from './policies.ts';
import type { ArrivedDelivery, StampedSignature } from './records.ts';

/** The header that carries the signature (section 5.2). */
export const signatureHeader = 'X-SVC-Webhook-Signature';

/** Computes the text that the signature header should hold. */
export type Sign = (body: Buffer, secret: string) => string;

/** Compares the expected text with the one that arrived. */
export type Match = (expected: string, given: string) => boolean;

/** Lower-case hex HMAC-SHA256 over the raw bytes, keyed with the secret as UTF-8: what fills GAP-14. */
export const sign: Sign = (body, secret) => createHmac('sha256', secret).update(body).digest('hex');

/** Compares in a time that depends on the lengths only. */
export const match: Match = (expected, given) => {
  // Header values arrive as latin1: one byte a character, so neither side can grow in the conversion.
  const [left, right] = [Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1')];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Whether any of the secrets signed the body. A missing signature is refused like a wrong one. */
export function verifier(how: { sign?: Sign; match?: Match } = {}): ReceiverPolicies['verify'] {
  const { sign: signed = sign, match: matches = match } = how;
  return ({ body, signature, secrets }) =>
    signature !== undefined && secrets.some((secret) => matches(signed(body, secret), signature));
}

/** The header's value, whatever the case of its name. Several of one name are joined, and so match nothing. */
export function findHeader(head: IncomingMessage, name: string): string | undefined {
  const value = head.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/**
 * The secrets, where each can serve as a key.
 *
 * @throws TypeError for none at all or a blank one: anyone could sign with it
 */
export function usableSecrets(secrets: readonly string[]): readonly string[] {
  if (secrets.length === 0) throw new TypeError('No secret was given. Pass the one that the service returned.');
  if (secrets.some((secret) => secret.trim() === '')) {
    throw new TypeError(
      'An empty secret was given. With it anyone could sign. Pass the one that the service returned.',
    );
  }
  return secrets;
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
