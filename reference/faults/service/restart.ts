import { randomBytes, randomUUID } from 'node:crypto';

import type { ServicePolicies } from '../../service/policies.ts';
import type { Attempt, Notification, Webhook } from '../../service/records.ts';
import { listing, type ServiceFaults, rewritten, withAttributes } from './fault.ts';

/** Milliseconds after the answer at which a careless service stores what it was sent. */
const later = 150;

/** Other bytes for the attempts of what an earlier process left. */
function rewritingResumed(policies: ServicePolicies, rewrite: (body: Buffer, attempt: Attempt) => Buffer) {
  const resumed = new Set<number>();
  const changed: Partial<ServicePolicies> = {
    resume: (notification) => {
      resumed.add(notification.sequence);
      return policies.resume(notification);
    },
    attemptBody: (attempt) => {
      const body = policies.attemptBody(attempt);
      return resumed.has(attempt.notification.sequence) ? rewrite(body, attempt) : body;
    },
  };
  return { ...policies, ...changed };
}

/** What is lost, doubled or changed when the process ends and starts again (DLV-7, and the requirements that go on to hold). */
export const restartFaults: ServiceFaults = {
  'keeps-its-queue-in-memory': {
    summary: 'Stores notifications, and keeps in memory which of them are still to be sent.',
    breaks: ['DLV-7', 'STA-2'],
    processControl: true,
    change: (policies) => ({ ...policies, unfinished: 'FALSE' }),
  },
  'answers-before-it-stores': {
    summary: 'Confirms what happened, and stores the notifications of it a moment later.',
    breaks: ['DLV-7'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      announce: async (store) => {
        setTimeout(() => void policies.announce(store).catch(() => {}), later);
        return 0;
      },
    }),
  },
  'marks-delivered-before-it-sends': {
    summary: 'Marks a notification as succeeded when it takes it up, and takes that back where it is refused.',
    breaks: ['DLV-7', 'STA-1', 'STA-2'],
    processControl: true,
    change: (policies) => ({ ...policies, statusMeanwhile: 'succeeded' }),
  },
  'gives-up-what-was-in-flight': {
    summary: 'Takes what was being sent when the process ended for failed.',
    breaks: ['DLV-7', 'STA-1', 'STA-3'],
    processControl: true,
    change: (policies) => ({ ...policies, statusMeanwhile: 'failed' }),
  },
  'gives-up-what-a-shutdown-cuts-short': {
    summary: 'Breaks off what it is sending when it is asked to end, and takes that for an answer.',
    breaks: ['DLV-7'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      isRetried: (outcome, attempt) => !isCutShort(outcome) && policies.isRetried(outcome, attempt),
    }),
  },
  'forgets-webhooks': {
    summary: 'Keeps the webhooks in memory.',
    breaks: ['DLV-7', 'STA-2'],
    processControl: true,
    change: (policies) => ({ ...policies, survives: () => false }),
  },
  'cannot-read-its-own-database': {
    summary: 'Does not start where it finds webhooks that an earlier process stored.',
    breaks: ['DLV-7'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      survives: ({ id }) => {
        throw new Error(`the webhook ${id} is of an unknown version`);
      },
    }),
  },
  'counts-attempts-anew-after-a-restart': {
    summary: 'Counts attempts in memory, so that each start of the process allows thirteen more.',
    breaks: ['STA-2'],
    processControl: true,
    change: (policies) => ({
      ...policies,
      resume: (notification) => withoutAttempts(policies.resume(notification)),
    }),
  },
  'gives-pending-notifications-new-ids-after-a-restart': {
    summary: 'Makes the bodies of its queue anew when it loads it, with new ids.',
    breaks: ['NTF-3', 'NTF-9'],
    processControl: true,
    change: (policies) => {
      const ids = new Map<number, string>();
      return rewritingResumed(policies, (body, { notification: { sequence } }) => {
        const id = ids.get(sequence) ?? randomUUID();
        ids.set(sequence, id);
        const again = randomUUID();
        return rewritten(body, ({ data }) => ({ data: { ...data, id }, included: [{ id: again, type: 'container' }] }));
      });
    },
  },
  'dates-pending-notifications-anew-after-a-restart': {
    summary: 'Takes the time at which it loads its queue for that of the creation.',
    breaks: ['NTF-7'],
    processControl: true,
    change: (policies) => {
      const begun = policies.timestamp(Date.now());
      return rewritingResumed(policies, (body) => withAttributes(body, { created_at: begun }));
    },
  },
  'sends-accepted-notifications-again-after-a-restart': {
    summary: 'Sends what has succeeded once more when it starts, since it takes only failed ones for done.',
    breaks: ['DLV-2'],
    processControl: true,
    change: (policies) => ({ ...policies, unfinished: "status <> 'failed'" }),
  },
  'sends-failed-notifications-again-after-a-restart': {
    summary: 'Sends what has failed once more when it starts.',
    breaks: ['STA-3', 'STA-2'],
    processControl: true,
    change: (policies) => ({ ...policies, unfinished: "status <> 'succeeded'" }),
  },
  'resumes-with-another-secret': {
    summary: 'Keeps the secrets in memory, and makes up new ones when it starts.',
    breaks: ['WHK-9', 'SIG-2'],
    processControl: true,
    change: (policies) => {
      const begun = Date.now();
      const secret = randomBytes(32).toString('hex');
      return {
        ...policies,
        secretFor: (attempt) => (attempt.webhook.createdAt < begun ? secret : policies.secretFor(attempt)),
      };
    },
  },
  'resumes-without-custom-headers': {
    summary: 'Keeps custom headers in memory, beside the webhooks that it stores.',
    breaks: ['WHK-10'],
    processControl: true,
    change: (policies) => {
      const begun = Date.now();
      return {
        ...policies,
        customHeaders: (attempt) => (attempt.webhook.createdAt < begun ? [] : policies.customHeaders(attempt)),
      };
    },
  },
  'keeps-updates-in-memory': {
    summary: 'Stores a webhook as it was created, and keeps in memory what an update changes.',
    breaks: ['ACT-3', 'ACT-2', 'WHK-6', 'DLV-5'],
    processControl: true,
    change: (policies) => {
      const changed = new Map<string, Webhook>();
      const today = (webhook: Webhook): Webhook => ({ ...webhook, ...changed.get(webhook.id) });
      return {
        ...policies,
        updated: (webhook, body) => {
          changed.set(webhook.id, policies.updated(today(webhook), body));
          return webhook;
        },
        webhookResource: (webhook, ...rest) => policies.webhookResource(today(webhook), ...rest),
        isActive: (webhook) => policies.isActive(today(webhook)),
        isSubscribed: (webhook, event) => policies.isSubscribed(today(webhook), event),
        destination: (attempt) => policies.destination({ ...attempt, webhook: today(attempt.webhook) }),
        customHeaders: (attempt) => policies.customHeaders({ ...attempt, webhook: today(attempt.webhook) }),
      };
    },
  },
  'forgets-how-deliveries-ended': {
    summary: 'Keeps in memory how deliveries ended: what an earlier process delivered is listed as pending.',
    breaks: ['STA-4', 'STA-2'],
    processControl: true,
    change: (policies) => {
      const begun = Date.now();
      return {
        ...policies,
        shownStatus: (notification) =>
          notification.createdAt < begun ? 'pending' : policies.shownStatus(notification),
      };
    },
  },
  'lists-only-what-was-notified-since-it-started': {
    summary: 'Lists the notifications of this process, and of an earlier one those that are still to be sent.',
    breaks: ['LST-2', 'NTF-9'],
    processControl: true,
    change: (policies) =>
      listing(policies, 'webhook_notifications', `status = 'pending' OR created_at >= ${Date.now()}`),
  },
  'takes-old-webhooks-for-subscribed-to-all': {
    summary:
      'Keeps in memory what a webhook subscribes to, and takes one of which it knows nothing for subscribed to all.',
    breaks: ['DLV-5'],
    processControl: true,
    change: (policies) => {
      const begun = Date.now();
      return {
        ...policies,
        isSubscribed: (webhook, event) => webhook.createdAt < begun || policies.isSubscribed(webhook, event),
      };
    },
  },
  'keeps-what-it-tracks-in-memory': {
    summary: 'Stores tracking requests, and keeps in memory which of them are still to be looked up.',
    breaks: ['DLV-7'],
    processControl: true,
    change: (policies) => ({ ...policies, isStillTracked: () => false }),
  },
  'lists-only-what-was-tracked-since-it-started': {
    summary: 'Keeps tracking requests in memory, and stores what comes of them.',
    breaks: ['LST-3'],
    processControl: true,
    change: (policies) => listing(policies, 'tracking_requests', `created_at >= ${Date.now()}`),
  },
  'delivers-to-webhooks-as-they-were-when-it-started': {
    summary: 'Reads the webhooks of an earlier process once, when it starts, and delivers as they were then.',
    breaks: ['ACT-3', 'ACT-2', 'WHK-6', 'DLV-5'],
    processControl: true,
    change: (policies) => {
      const begun = Date.now();
      const read = new Map<string, Webhook>();
      const then = (webhook: Webhook): Webhook => read.get(webhook.id) ?? webhook;
      return {
        ...policies,
        updated: (webhook, body) => {
          if (webhook.createdAt < begun) read.set(webhook.id, then(webhook));
          return policies.updated(webhook, body);
        },
        isActive: (webhook) => policies.isActive(then(webhook)),
        isSubscribed: (webhook, event) => policies.isSubscribed(then(webhook), event),
        destination: (attempt) => policies.destination({ ...attempt, webhook: then(attempt.webhook) }),
        customHeaders: (attempt) => policies.customHeaders({ ...attempt, webhook: then(attempt.webhook) }),
      };
    },
  },
  'begins-its-ids-anew-when-it-starts': {
    summary: 'Makes the ids of notifications of a counter that it keeps in memory.',
    breaks: ['NTF-2', 'LST-2', 'NTF-9', 'NTF-7', 'DLV-2', 'DLV-7', 'STA-1', 'STA-2', 'STA-3', 'STA-4'],
    processControl: true,
    change: (policies) => {
      let last = 0;
      return {
        ...policies,
        newNotificationId: () => `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`,
      };
    },
  },
};

/** How the service's own client calls what it broke off itself. */
function isCutShort(outcome: Parameters<ServicePolicies['isRetried']>[0]): boolean {
  return outcome.kind === 'broken' && outcome.code === 'Error';
}

function withoutAttempts(notification: Notification | undefined): Notification | undefined {
  return notification && { ...notification, attempts: 0 };
}
