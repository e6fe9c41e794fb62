import { randomBytes } from 'node:crypto';

import type { RequirementId } from '../../../spec/names.ts';
import { conformingPress, type PressPolicies } from '../../press/policies.ts';

/** A mistake of the print shop: the replacement of one decision. */
export interface PressFault {
  /** What it does wrong, as one sentence. */
  readonly summary: string;
  /** Every requirement that it breaks. The first one is its main point. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  /** A check that finds it. */
  readonly check: string;
  /** What it remembers starts afresh with each call. */
  readonly policies: () => Partial<PressPolicies>;
}

/** Mistakes of the print shop, by a name that says what it does. */
export const pressFaults: Readonly<Record<string, PressFault>> = {
  'takes-a-4xx-for-final': {
    summary: 'Takes every 4xx for the last word of the receiver.',
    breaks: ['DLV-3', 'STA-5'],
    check: 'service/refusals/refused-status',
    policies: () => ({ isRetried: (status) => status === undefined || status < 400 || status > 499 }),
  },
  'retries-six-times': {
    summary: 'Counts retries where it should count attempts.',
    breaks: ['STA-2'],
    check: 'service/retries/exhaustion',
    policies: () => ({ retries: 6 }),
  },
  'renames-retries': {
    summary: 'Gives each attempt an id of its own.',
    breaks: ['NTF-3', 'NTF-9'],
    check: 'service/retries/same-notification',
    policies: () => ({
      idOf: ({ delivery, number }) => (number === 1 ? delivery.id : `dlv_${randomBytes(8).toString('hex')}`),
    }),
  },
  'signs-the-body-written-again': {
    summary: 'Parses the body and writes it again, with spaces, before it is signed.',
    breaks: ['SIG-2', 'WHK-9'],
    check: 'service/signature/first-attempt',
    policies: () => ({
      signed: (sent) => {
        const body = Buffer.from(JSON.stringify(JSON.parse(sent.body.toString()), null, 1));
        return conformingPress.signed({ ...sent, body });
      },
    }),
  },
  'signs-the-body-alone': {
    summary: 'Leaves the id and the time out of what it signs.',
    breaks: ['SIG-2', 'WHK-9'],
    check: 'service/signature/first-attempt',
    policies: () => ({ signed: ({ body }) => body }),
  },
  'signs-no-retry': {
    summary: 'Signs first attempts alone.',
    breaks: ['SIG-1', 'WHK-9'],
    check: 'service/signature/every-attempt',
    policies: () => ({ isSigned: ({ number }) => number === 1 }),
  },
  'takes-any-target': {
    summary: 'Takes any text for a URL.',
    breaks: ['CRW-5'],
    check: 'service/creation/malformed',
    policies: () => ({
      problem: (body, isWhole) => {
        const problem = conformingPress.problem(body, isWhole);
        const { target } = (body ?? {}) as { readonly target?: unknown };
        return problem?.startsWith('target') === true && typeof target === 'string' ? undefined : problem;
      },
    }),
  },
  'tells-what-is-paused': {
    summary: 'Looks at the topics of a hook, and not at whether it is paused.',
    breaks: ['WHK-6'],
    check: 'service/activation/inactive',
    policies: () => ({ isTold: ({ topics }, topic) => topics.includes(topic) }),
  },
  'ignores-topics-of-an-update': {
    summary: 'Replaces the target of a hook, and keeps its topics.',
    breaks: ['ACT-3'],
    check: 'service/updates/named',
    policies: () => ({ replaced: (hook, { target, status }) => ({ ...hook, target, status }) }),
  },
  'changes-the-secret-on-update': {
    summary: 'Makes a new secret whenever a hook is replaced, and says so to nobody.',
    breaks: ['SIG-2', 'WHK-9'],
    check: 'service/updates/followed',
    policies: () => ({ replaced: (hook, input) => ({ ...hook, ...input, secret: conformingPress.newSecret() }) }),
  },
  'counts-up-secrets': {
    summary: 'Makes secrets by counting.',
    breaks: ['WHK-8'],
    check: 'service/identity/secret',
    policies: () => {
      let count = 0;
      return {
        newSecret: () => {
          count += 1;
          return `whsec_${Buffer.from(`print-shop-key-${String(count).padStart(9, '0')}`).toString('base64')}`;
        },
      };
    },
  },
  'skips-the-row-behind-the-cursor': {
    summary: 'Begins a page one row too late, except for the first page.',
    breaks: ['LST-2'],
    check: 'service/lists/notification-pages',
    policies: () => ({
      page: (rows, after, limit) =>
        conformingPress
          .page(rows, after, limit + 1)
          .slice(after === 0 ? 0 : 1)
          .slice(0, limit),
    }),
  },
  'repeats-the-row-before-the-cursor': {
    summary: 'Begins a page with the last row of the page before.',
    breaks: ['LST-2'],
    check: 'service/lists/notification-pages',
    policies: () => ({
      page: (rows, after, limit) => conformingPress.page(rows, limit > 1 && after > 0 ? after - 1 : after, limit),
    }),
  },
  'sends-samples-twice': {
    summary: 'Sends a sample from both of its workers.',
    breaks: ['TRG-1'],
    check: 'service/samples/each-event',
    policies: () => ({ samples: 2 }),
  },
  'lists-everything-as-queued': {
    summary: 'Never updates the state that the list shows.',
    breaks: ['STA-4', 'STA-2'],
    check: 'service/statuses/succeeded',
    policies: () => ({ shownState: () => 'queued' }),
  },
  'lets-the-beginning-of-the-key-in': {
    summary: 'Compares the key as far as the call holds it.',
    breaks: ['API-2'],
    check: 'service/authentication/wrong-key',
    policies: () => ({ isLetIn: (key, right) => key !== undefined && key !== '' && right.startsWith(key) }),
  },
};
