import { fileURLToPath } from 'node:url';

/** A library that others wrote to verify webhooks, in a server as its own documentation shows it. */
export interface Library {
  /** The server, a file of this folder. It takes its port from the command line, and its secret from `SECRET`. */
  readonly server: string;
  /** The contract of its provider: a name, or a file. */
  readonly contract: string;
  readonly secret: string;
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const base64Secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw==';
const names = ['@octokit/webhooks', 'stripe', 'standardwebhooks', 'svix', '@slack/bolt', 'shopify'] as const;

export type LibraryName = (typeof names)[number];

/** Shopify has no library for receivers: its documentation shows how to verify a delivery. */
export const libraries: Readonly<Record<LibraryName, Library>> = {
  '@octokit/webhooks': { server: here('octokit.ts'), contract: 'github', secret: 'a secret' },
  stripe: { server: here('stripe.ts'), contract: 'stripe', secret: 'whsec_test' },
  standardwebhooks: { server: here('standardWebhooks.ts'), contract: 'standard-webhooks', secret: base64Secret },
  svix: { server: here('svix.ts'), contract: here('svix.contract.yaml'), secret: base64Secret },
  '@slack/bolt': { server: here('slack.ts'), contract: 'slack', secret: 'a secret' },
  shopify: { server: here('shopify.ts'), contract: 'shopify', secret: 'a secret' },
};
