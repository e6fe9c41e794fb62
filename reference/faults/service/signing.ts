import { createHash, randomBytes } from 'node:crypto';

import { member } from '../../service/reply.ts';
import type { ServicePolicies } from '../../service/policies.ts';
import type { Attempt } from '../../service/records.ts';
import { signatureHeader } from '../../service/sender.ts';
import type { ServiceFaults } from './fault.ts';

/** Deliveries are not signed, or not with what they should be, or secrets are no secrets (SIG-1, SIG-2, WHK-9, WHK-8). */
export const signingFaults: ServiceFaults = {
  'signs-no-delivery': {
    summary: 'Signs the samples of the trigger endpoint, and forgets the real deliveries.',
    breaks: ['SIG-1', 'WHK-9'],
    change: (policies) => ({ ...policies, secretFor: () => undefined }),
  },
  'signs-no-retry': {
    summary: 'Signs the first attempt only.',
    breaks: ['SIG-1', 'WHK-9'],
    change: (policies) => ({
      ...policies,
      secretFor: (attempt) => (attempt.number > 1 ? undefined : policies.secretFor(attempt)),
    }),
  },
  'signs-with-one-secret-for-all': {
    summary: 'Signs every delivery with a secret of its own, whatever secret the webhook was given.',
    breaks: ['SIG-2', 'WHK-9'],
    change: (policies) => {
      const secret = randomBytes(16).toString('hex');
      return { ...policies, secretFor: () => secret };
    },
  },
  'signs-with-the-secret-of-another-webhook': {
    summary: 'Is off by one: signs with the secret of the webhook that comes next in its list.',
    breaks: ['WHK-9', 'SIG-2'],
    change: (policies) => {
      const secrets = new Map<string, string>();
      let last = { event: '', id: '' };
      return {
        ...policies,
        newNotificationId: (event, webhook) => {
          if (last.event === event) secrets.set(last.id, webhook.secret);
          last = { event, id: webhook.id };
          return policies.newNotificationId(event, webhook);
        },
        secretFor: (attempt) => secrets.get(attempt.webhook.id) ?? policies.secretFor(attempt),
      };
    },
  },
  'signs-other-bytes-than-it-sends': {
    summary: 'Serialises the body again, with spaces, to sign it.',
    breaks: ['SIG-2', 'WHK-9', 'TRG-2'],
    change: (policies) => ({
      ...policies,
      sign: (body, secret) => policies.sign(Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2)), secret),
    }),
  },
  'signs-with-a-plain-hash': {
    summary: 'Puts secret and body together and hashes them, without HMAC.',
    breaks: ['SIG-2', 'WHK-9', 'TRG-2'],
    change: (policies) => ({
      ...policies,
      sign: (body, secret) => createHash('sha256').update(secret).update('\n').update(body).digest('hex'),
    }),
  },
  'signs-a-retry-with-another-secret': {
    summary: 'Signs retries with the secret in capitals, as an old column of the database holds it.',
    breaks: ['SIG-2', 'WHK-9'],
    change: (policies) => ({
      ...policies,
      secretFor: (attempt) => {
        const secret = policies.secretFor(attempt);
        return attempt.number > 1 ? secret?.toUpperCase() : secret;
      },
    }),
  },
  'signs-late-retries-with-another-secret': {
    summary: 'Forgets the secret after eight attempts, and signs the others with one that it makes up.',
    breaks: ['SIG-2', 'WHK-9'],
    change: (policies) => ({
      ...policies,
      secretFor: (attempt) => (attempt.number > 8 ? randomBytes(16).toString('hex') : policies.secretFor(attempt)),
    }),
  },
  'keeps-a-replaced-secret-for-what-it-retries': {
    summary: 'Lets a client replace the secret, and goes on signing what was queued before with the old one.',
    breaks: ['WHK-9', 'SIG-2'],
    change: (policies) => replacingSecrets(policies, ({ notification }, at) => notification.createdAt < at),
  },
  'keeps-a-replaced-secret-in-a-cache': {
    summary: 'Lets a client replace the secret, and looks at its cache of secrets for some seconds more.',
    breaks: ['WHK-9', 'SIG-2'],
    change: (policies) => replacingSecrets(policies, (_attempt, at) => Date.now() - at < 5000),
  },
  'shows-a-new-secret-and-signs-with-the-old-one': {
    summary: 'Stores and shows the secret that replaces the first one, and never signs with it.',
    breaks: ['WHK-9', 'SIG-2'],
    change: (policies) => replacingSecrets(policies, () => true),
  },
  'lets-a-custom-header-replace-the-signature': {
    summary: 'Takes a custom header that has the name of the signature, and sends it instead.',
    breaks: ['SIG-2', 'SIG-1', 'WHK-9'],
    change: (policies) => sendingInstead(policies, isSignature),
  },
  'signs-no-delivery-with-many-headers': {
    summary: 'Sends no more headers than there is room for in its table, the custom ones first.',
    breaks: ['SIG-1'],
    change: (policies) => ({
      ...policies,
      requestHeaders: ({ signature, custom }) =>
        policies.requestHeaders({ signature: custom.length > 4 ? undefined : signature, custom }),
    }),
  },
  'makes-secrets-of-the-millisecond': {
    summary:
      'Hashes the time in milliseconds for a secret, which two webhooks share that are created at the same moment.',
    breaks: ['WHK-8'],
    change: (policies) => ({
      ...policies,
      newSecret: () => createHash('sha256').update(String(Date.now())).digest('hex'),
    }),
  },
  'signs-a-retry-in-capitals': {
    summary: 'Builds a retry in another class, whose digest is written in capitals.',
    breaks: ['SIG-2'],
    change: (policies) => {
      const retried = new Set<string>();
      return {
        ...policies,
        secretFor: (attempt) => {
          const secret = policies.secretFor(attempt);
          if (secret !== undefined && attempt.number > 1) retried.add(secret);
          return secret;
        },
        sign: (body, secret) => {
          const signature = policies.sign(body, secret);
          return retried.has(secret) ? signature.toUpperCase() : signature;
        },
      };
    },
  },
  'signs-a-retry-with-the-secret-of-its-url': {
    summary: 'Keeps the url of a retry, and signs it with the secret of the first webhook that has this url.',
    breaks: ['WHK-9', 'SIG-2'],
    change: (policies) => {
      const secrets = new Map<string, string>();
      return {
        ...policies,
        webhookResource: (webhook, ...how) => {
          if (!secrets.has(webhook.url)) secrets.set(webhook.url, webhook.secret);
          return policies.webhookResource(webhook, ...how);
        },
        secretFor: (attempt) =>
          (attempt.number > 1 ? secrets.get(attempt.webhook.url) : undefined) ?? policies.secretFor(attempt),
      };
    },
  },
  'sends-custom-headers-in-place-of-the-signature': {
    summary:
      'Gives the custom headers of a webhook to its HTTP client, and adds the signature only where there are none.',
    breaks: ['SIG-1'],
    change: (policies) => ({
      ...policies,
      requestHeaders: ({ signature, custom }) =>
        policies.requestHeaders({ signature: custom.length > 0 ? undefined : signature, custom }),
    }),
  },
  'reserves-its-names-in-capitals-only': {
    summary:
      'Refuses custom headers that begin with X-SVC-, and sends what has the name of the signature in small letters instead of it.',
    breaks: ['SIG-2', 'SIG-1', 'WHK-9'],
    change: (policies) => sendingInstead(policies, (name) => isSignature(name) && !name.startsWith('X-SVC-')),
  },
};

function isSignature(name: string): boolean {
  return name.toLowerCase() === signatureHeader.toLowerCase();
}

/** Takes a custom header of such a name, and sends it instead of the signature. */
function sendingInstead(policies: ServicePolicies, isTaken: (name: string) => boolean): ServicePolicies {
  return {
    ...policies,
    headerProblems: (header, pointer) => (isTaken(header.name) ? [] : policies.headerProblems(header, pointer)),
    requestHeaders: ({ signature, custom }) => {
      const forged = custom.findLast(({ name }) => isTaken(name));
      return policies.requestHeaders({ signature: forged?.value ?? signature, custom });
    },
  };
}

/**
 * Lets a client replace the secret of a webhook by an update, and shows it.
 *
 * @param isOld - whether an attempt is signed with the secret of before. `at`: when it was replaced, in milliseconds since 1970
 */
export function replacingSecrets(
  policies: ServicePolicies,
  isOld: (attempt: Attempt, at: number) => boolean,
): ServicePolicies {
  const replaced = new Map<string, { readonly secret: string; readonly at: number }>();
  return {
    ...policies,
    updated: (webhook, body) => {
      const secret = member(body, 'data', 'attributes', 'secret');
      if (typeof secret === 'string') replaced.set(webhook.id, { secret, at: Date.now() });
      return policies.updated(webhook, body);
    },
    webhookResource: (webhook, ...parts) =>
      policies.webhookResource({ ...webhook, secret: replaced.get(webhook.id)?.secret ?? webhook.secret }, ...parts),
    secretFor: (attempt) => {
      const known = replaced.get(attempt.webhook.id);
      return known === undefined || isOld(attempt, known.at) ? policies.secretFor(attempt) : known.secret;
    },
  };
}
