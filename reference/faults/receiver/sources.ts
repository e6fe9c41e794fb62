import type { IncomingMessage } from 'node:http';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { ReceiverFaults } from './fault.ts';

/** Believes what a header says of the sender, where there is such a header. */
function believing(
  policies: ReceiverPolicies,
  claimed: (headers: IncomingMessage['headers']) => string | undefined,
): ReceiverPolicies {
  return { ...policies, senderOf: (head) => claimed(head.headers)?.trim() || policies.senderOf(head) };
}

function one(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

/** A list of sender addresses that keeps nobody out, or the wrong ones (SRC-1). */
export const sourceFaults: ReceiverFaults = {
  'filters-no-sender': {
    summary: 'Reads the list of sender addresses, and lets everybody in.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => ({ ...policies, isPublished: () => true }),
  },
  'trusts-x-forwarded-for': {
    summary: 'Takes the first address of X-Forwarded-For for the sender.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => believing(policies, (headers) => one(headers['x-forwarded-for'])?.split(',')[0]),
  },
  'trusts-the-last-x-forwarded-for': {
    summary: 'Takes the last address of X-Forwarded-For for the sender, though no proxy stands before it.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => believing(policies, (headers) => one(headers['x-forwarded-for'])?.split(',').at(-1)),
  },
  'trusts-forwarded': {
    summary: 'Takes what Forwarded (RFC 7239) says it is for as the sender.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => believing(policies, ({ forwarded }) => /\bfor="?\[?([^\];,"]+)/i.exec(forwarded ?? '')?.[1]),
  },
  'trusts-x-real-ip': {
    summary: 'Takes X-Real-IP for the sender.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => believing(policies, (headers) => one(headers['x-real-ip'])),
  },
  'trusts-a-header-of-a-cdn': {
    summary: 'Takes CF-Connecting-IP for the sender, without being behind that network.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => believing(policies, (headers) => one(headers['cf-connecting-ip'])),
  },
  'trusts-a-forwarded-host': {
    summary: 'Lets in what claims to be sent to an address of the list.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => believing(policies, (headers) => one(headers['x-forwarded-host'])),
  },
  'compares-addresses-by-prefix': {
    summary: 'Lets in every address that begins with the text of a published one.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => ({
      ...policies,
      isPublished: (address, published) => published.some((each) => address.startsWith(each)),
    }),
  },
  'lets-in-the-whole-network': {
    summary: 'Compares the first three numbers of an address only.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => ({
      ...policies,
      isPublished: (address, published) =>
        published.some((each) => address.startsWith(each.slice(0, each.lastIndexOf('.') + 1))),
    }),
  },
  'knows-the-first-published-address-only': {
    summary: 'Keeps one address of the list, and turns the other senders of the service away.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => ({
      ...policies,
      isPublished: (address, published) => policies.isPublished(address, published.slice(0, 1)),
    }),
  },
  'acknowledges-whom-it-turns-away': {
    summary: 'Drops what comes from elsewhere, and answers 200 to it.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => ({ ...policies, turnedAway: { status: 200, body: 'ok' } }),
  },
  'works-for-whom-it-turns-away': {
    summary: 'Looks at the sender after it has stored the notification: the answer is a refusal, and it takes effect.',
    breaks: ['SRC-1'],
    setting: 'sources',
    change: (policies) => ({
      ...policies,
      isPublished: () => true,
      answer: (outcome, delivery, notification) =>
        delivery.published && !policies.isPublished(policies.senderOf(delivery.head), delivery.published)
          ? policies.turnedAway
          : policies.answer(outcome, delivery, notification),
    }),
  },
  'never-reads-the-list-again': {
    summary: 'Reads the published addresses when it starts, and never again.',
    breaks: ['SRC-1'],
    setting: 'changed-sources',
    change: (policies) => ({ ...policies, refreshAfter: () => undefined }),
  },
  'never-drops-an-address': {
    summary: 'Adds what is new in the list, and keeps letting in what was taken from it.',
    breaks: ['SRC-1'],
    setting: 'changed-sources',
    change: (policies) => ({ ...policies, followed: (before, read) => [...new Set([...before, ...read])] }),
  },
};
