import { createHmac, timingSafeEqual } from 'node:crypto';

import { verify as verifyOctokit } from '@octokit/webhooks-methods';
import { verifySlackRequest } from 'slack-edge';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';

import { parseSignature } from '../../spec/parseSignature.ts';
import { signatureHeaders } from '../../spec/signature.ts';
import { signatureForms } from './signatureForms.ts';

type Headers = Readonly<Record<string, string>>;

/** What a provider's library says of a delivery: false, or an error, where it refuses it. */
type Verify = (body: string, headers: Headers, secret: string) => unknown;

/** The libraries that their users verify with; for Shopify and Adyen what their documentation has them write. */
const libraries = {
  github: (body, headers, secret) => verifyOctokit(secret, body, headers['X-Hub-Signature-256'] ?? ''),
  stripe: (body, headers, secret) => Stripe.webhooks.constructEvent(body, headers['Stripe-Signature'] ?? '', secret),
  'standard webhooks': (body, headers, secret) => new StandardWebhook(secret).verify(body, { ...headers }),
  svix: (body, headers, secret) => new SvixWebhook(secret).verify(body, { ...headers }),
  slack: (body, headers, secret) => verifySlackRequest(secret, new Headers(headers), body),
  // https://shopify.dev/docs/apps/build/webhooks/subscribe/https
  shopify: (body, headers, secret) =>
    isSame(createHmac('sha256', secret).update(body, 'utf8').digest('base64'), headers['X-Shopify-Hmac-SHA256']),
  // https://docs.adyen.com/development-resources/webhooks/verify-hmac-signatures
  'adyen banking': (body, headers, secret) =>
    isSame(createHmac('sha256', Buffer.from(secret, 'hex')).update(body).digest('base64'), headers['HmacSignature']),
} satisfies Readonly<Record<string, Verify>>;

function isSame(expected: string, received = ''): boolean {
  return expected.length === received.length && timingSafeEqual(Buffer.from(expected), Buffer.from(received));
}

async function isTaken(verify: Verify, body: string, headers: Headers, secret: string): Promise<boolean> {
  try {
    return (await verify(body, headers, secret)) !== false;
  } catch {
    return false;
  }
}

function withMiddleChanged(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === '0' ? '1' : '0') + text.slice(middle + 1);
}

const body = '{"id": "evt_1", "object": "event", "text": "café \u{1f6a2}"}';

describe.each(Object.entries(libraries))('the library of %s', (name, verify: Verify) => {
  const { form, secret } = signatureForms[name as keyof typeof libraries];
  const scheme = parseSignature(form);
  const sign = (key: string): Headers =>
    Object.fromEntries(
      signatureHeaders(scheme, '', {
        secret: key,
        body: Buffer.from(body),
        id: 'msg_1',
        timestamp: Math.floor(Date.now() / 1000),
      }),
    );

  test('accepts what the kit signs', async () => {
    expect(await isTaken(verify, body, sign(secret), secret)).toBe(true);
  });

  test('refuses a changed body, a changed header, and what is signed with another secret', async () => {
    const headers = sign(secret);
    expect(await isTaken(verify, body.replace('é', 'e'), headers, secret)).toBe(false);
    expect(await isTaken(verify, body, sign(`${secret}~`), secret)).toBe(false);
    for (const [header, value] of Object.entries(headers)) {
      const changed = { ...headers, [header]: withMiddleChanged(value) };
      expect(await isTaken(verify, body, changed, secret)).toBe(false);
    }
  });
});
