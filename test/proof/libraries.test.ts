import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { createSummary } from '../../reports/model/summary.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { receiverPlan } from '../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../runner/receiver/runReceiver.ts';

/** A library that others wrote to verify webhooks, in a server as its own documentation shows it, and what is true of it. */
interface Library {
  /** A file in `libraries/`. */
  readonly server: string;
  readonly contract: string;
  readonly secret: string;
  /** The requirements that it breaks, as they were seen by hand too. */
  readonly breaks: readonly string[];
  /** The checks that are tried. Default: those of signatures, and of bodies that are nonsense. */
  readonly only?: readonly string[];
}

const here = (file: string): string => fileURLToPath(new URL(`libraries/${file}`, import.meta.url));
const base64Secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==';

/** Both are given a text, as their documentation shows it: bytes that are no UTF-8 are lost before. Neither reads the JSON. */
const decodesText = ['RCV-5', 'VRF-3', 'VRF-5'];

const libraries: Readonly<Record<string, Library>> = {
  // Decodes the body before it hashes it: a decoder drops a byte order mark, and reads the time with parseInt.
  stripe: {
    server: 'stripe.ts',
    contract: 'stripe',
    secret: 'whsec_test',
    breaks: ['RCV-5', 'VRF-3', 'VRF-5', 'VRF-8'],
  },
  // The same, and a signed body that is a number ends the process.
  '@octokit/webhooks': {
    server: 'octokit.ts',
    contract: 'github',
    secret: 'a secret',
    breaks: ['ROB-1', 'VRF-3'],
    only: ['receiver/signature/changed-after-signing', 'receiver/acceptance/not-a-notification'],
  },
  standardwebhooks: {
    server: 'standardWebhooks.ts',
    contract: 'standard-webhooks',
    secret: base64Secret,
    breaks: decodesText,
  },
  svix: { server: 'svix.ts', contract: here('svix.contract.yaml'), secret: base64Secret, breaks: decodesText },
  // It looks at the age of a timestamp alone, which is negative for one of the future.
  '@slack/bolt': {
    server: 'slack.ts',
    contract: 'slack',
    secret: 'a secret',
    breaks: ['VRF-3', 'VRF-5', 'VRF-8'],
    only: ['forged', 'changed-after-signing', 'nothing-added', 'too-old', 'from-the-future', 'small-skew'].map(
      (name) => `receiver/signature/${name}`,
    ),
  },
  'a receiver by the documentation of Shopify': {
    server: 'shopify.ts',
    contract: 'shopify',
    secret: 'a secret',
    // Its Base64 decoder passes over what is no Base64, and it reads no JSON.
    breaks: ['RCV-5', 'VRF-5'],
  },
};

/** None of these servers deduplicates or stores: their documentation leaves both to the reader. */
const usual = ['receiver/signature/*', 'receiver/acceptance/not-a-notification'];
const skip = ['receiver/signature/without-secret'];

/** The kit starts the server: one request ends some of them. */
async function held({ server, contract, secret, only = usual }: Library): Promise<RunSummary> {
  const port = await freePort('127.0.0.1', new Set());
  const origin = `http://127.0.0.1:${port}`;
  const start = `${process.execPath} ${here(server)} ${port}`;
  const target = { contract, secret: [secret], start, env: { SECRET: secret }, probe: `${origin}/count/{id}` };
  const plan = await receiverPlan(`${origin}/hook`, { ...target, intensity: 'quick', seed: 1, only, skip });
  const summary = createSummary();
  for await (const event of runReceiver(plan)) summary.add(event);
  return summary.summary();
}

describe.concurrent.each(Object.entries(libraries))('%s', (_, library) => {
  it('breaks what it breaks when it is tried by hand, and nothing else', { timeout: 300_000 }, async () => {
    const { requirements, checks, errors } = await held(library);
    const broken = requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
    const reported = checks
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ id, outcome, reason }) => ({ id, outcome, reason }));
    expect({ broken: broken.toSorted(), reported, errors }).toMatchObject({
      broken: library.breaks.toSorted(),
      errors: [],
    });
  });
});
