import { parseSignature } from '../../spec/parseSignature.ts';
import type { SignatureScheme } from '../../spec/signature.ts';

/** The `signature` of a contract, and a secret as its provider gives it out. */
interface ProvidedForm {
  readonly form: Readonly<Record<string, unknown>>;
  readonly secret: string;
}

const bytes = Buffer.from('32 bytes that nobody can guess !');
const base64Secret = `whsec_${bytes.toString('base64')}`;

/** How providers of webhooks sign, as their documentation says. */
export const signatureForms = {
  github: {
    form: { headers: { 'X-Hub-Signature-256': 'sha256={digest}' } },
    secret: "It's a Secret to Everybody",
  },
  stripe: {
    form: {
      signed: '{timestamp}.{body}',
      tolerance: '5m',
      headers: { 'Stripe-Signature': 't={timestamp},v1={digest}' },
    },
    secret: 'whsec_a secret of Stripe',
  },
  'standard webhooks': {
    form: {
      key: 'whsec_:base64',
      signed: '{id}.{timestamp}.{body}',
      digest: 'base64',
      several: ' ',
      tolerance: '5m',
      headers: { 'webhook-id': '{id}', 'webhook-timestamp': '{timestamp}', 'webhook-signature': 'v1,{digest}' },
    },
    secret: base64Secret,
  },
  svix: {
    form: {
      key: 'whsec_:base64',
      signed: '{id}.{timestamp}.{body}',
      digest: 'base64',
      several: ' ',
      tolerance: '5m',
      headers: { 'svix-id': '{id}', 'svix-timestamp': '{timestamp}', 'svix-signature': 'v1,{digest}' },
    },
    secret: base64Secret,
  },
  slack: {
    form: {
      signed: 'v0:{timestamp}:{body}',
      tolerance: '5m',
      headers: { 'X-Slack-Signature': 'v0={digest}', 'X-Slack-Request-Timestamp': '{timestamp}' },
    },
    secret: '8f742231b10e8888abcd99yyyzzz85a5',
  },
  shopify: {
    form: { digest: 'base64', headers: { 'X-Shopify-Hmac-SHA256': '{digest}' } },
    secret: 'shpss_a secret of an app',
  },
  'adyen banking': {
    form: { digest: 'base64', key: 'hex', headers: { HmacSignature: '{digest}' } },
    secret: bytes.toString('hex').toUpperCase(),
  },
  paddle: {
    form: { signed: '{timestamp}:{body}', headers: { 'Paddle-Signature': 'ts={timestamp};h1={digest}' } },
    secret: 'pdl_ntfset_a secret',
  },
  'all at once': {
    form: {
      algorithm: 'sha512',
      digest: 'base64url',
      key: "it's_:base64",
      signed: '100% {body}\n{timestamp}"{id}',
      headers: { 'X-Id': '{id}', 'X-Signed': 'at {timestamp}/"{digest}"$' },
    },
    secret: `it's_${bytes.toString('base64')}`,
  },
} satisfies Readonly<Record<string, ProvidedForm>>;

/** The schemes of those forms, each with its secret. */
export const providedSchemes: readonly (readonly [name: string, scheme: SignatureScheme, secret: string])[] =
  Object.entries(signatureForms).map(([name, { form, secret }]) => [name, parseSignature(form), secret]);
