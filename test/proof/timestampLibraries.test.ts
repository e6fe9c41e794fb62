import { verifySlackRequest } from 'slack-edge';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';

import { signatureForms } from '../spec/signatureForms.ts';
import { complaints, testReceiver } from './testReceiver.ts';
import { signedContract } from './signedContract.ts';
import { startVerifying, type Verify } from './receivers/verifying.ts';
import { brokenIn } from '../brokenIn.ts';

interface Library {
  readonly verify: (secret: string) => Verify;
  /** What the kit says of it. */
  readonly broken: readonly string[];
}

/** Those of Stripe and Slack look at the age of a timestamp only, which is negative for one of the future. */
const libraries: Readonly<Record<'stripe' | 'standard webhooks' | 'svix' | 'slack', Library>> = {
  stripe: {
    verify: (secret) => (body, headers) =>
      Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret),
    broken: ['VRF-8'],
  },
  'standard webhooks': {
    verify: (secret) => (body, headers) => new StandardWebhook(secret).verify(body, headers),
    broken: [],
  },
  svix: { verify: (secret) => (body, headers) => new SvixWebhook(secret).verify(body, headers), broken: [] },
  slack: {
    verify: (secret) => (body, headers) => verifySlackRequest(secret, new Headers(headers), body),
    broken: ['VRF-8'],
  },
};

describe.concurrent('what the libraries of providers make of timestamps', () => {
  test.each(Object.entries(libraries))('%s', { timeout: 120_000 }, async (name, { verify, broken }) => {
    const { form, secret } = signatureForms[name as keyof typeof libraries];
    const receiver = await startVerifying(verify(secret));
    const summary = await testReceiver(receiver, {
      secret: [secret],
      contract: signedContract(form),
      // The rest of VRF-3 shows that these servers decode the body: the libraries take texts.
      only: ['VRF-1', 'receiver/signature/changed-content', 'VRF-7', 'VRF-8', 'VRF-9'],
      skip: ['receiver/signature/every-secret'],
      seed: 7,
      settle: 300,
    });
    const found = brokenIn(summary);
    expect({ found, complaints: complaints(summary) }).toMatchObject({ found: broken });
    expect(summary.errors).toEqual([]);
  });
});
