import type { ServicePolicies } from '../../service/policies.ts';
import type { Attempt } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/** Who hears of what (DLV-5, DLV-6, WHK-6, ACT-2, ACT-3). */
export const subscriptionFaults: ServiceFaults = {
  'sends-one-event-to-everybody': {
    summary: 'Sends the updates of containers to every webhook.',
    breaks: ['DLV-5', 'ACT-3'],
    change: (policies) => ({
      ...policies,
      isSubscribed: (webhook, event) => event === 'container.updated' || policies.isSubscribed(webhook, event),
    }),
  },
  'matches-events-by-their-beginning': {
    summary: 'Takes a webhook for subscribed where the event begins like one of its list.',
    breaks: ['DLV-5', 'ACT-3'],
    change: (policies) => ({
      ...policies,
      isSubscribed: ({ events }, event) =>
        events.some((each) => event.startsWith(each.slice(0, each.lastIndexOf('_')))),
    }),
  },
  'never-raises-one-event': {
    summary: 'Takes subscriptions to the departure of a feeder, and never raises it.',
    breaks: ['DLV-6'],
    change: (policies) => ({ ...policies, isRaised: (event) => event !== 'container.transport.feeder_departed' }),
  },
  'tells-fifty-webhooks-at-most': {
    summary: 'Reads the first page of the webhooks when something happens.',
    breaks: ['DLV-6'],
    change: (policies) => {
      let notified: readonly [event: string, at: number, count: number] = ['', 0, 0];
      return {
        ...policies,
        isSubscribed: (webhook, event) => {
          if (!policies.isSubscribed(webhook, event)) return false;
          const [before, at, count] = notified;
          const again = before === event && Date.now() - at < 5;
          notified = [event, again ? at : Date.now(), again ? count + 1 : 1];
          return notified[2] <= 50;
        },
      };
    },
  },
  'tells-a-webhook-of-an-event-once': {
    summary: 'Takes what happens again for a repeat of what the webhook was notified of.',
    breaks: ['DLV-6', 'ACT-2', 'ACT-3'],
    change: (policies) => {
      const notified = new Set<string>();
      return {
        ...policies,
        isSubscribed: (webhook, event) => {
          const subject = `${webhook.id} ${event}`;
          if (notified.has(subject) || !policies.isSubscribed(webhook, event)) return false;
          return notified.add(subject).has(subject);
        },
      };
    },
  },
  'drops-a-repeat-that-comes-soon': {
    summary: 'Sends a webhook nothing of an event that happened less than two seconds ago, too.',
    breaks: ['DLV-6', 'ACT-2', 'ACT-3'],
    change: (policies) => {
      const notified = new Map<string, number>();
      return {
        ...policies,
        isSubscribed: (webhook, event) => {
          const subject = `${webhook.id} ${event}`;
          const soon = Date.now() - (notified.get(subject) ?? 0) < 2000;
          if (soon || !policies.isSubscribed(webhook, event)) return false;
          notified.set(subject, Date.now());
          return true;
        },
      };
    },
  },
  'reads-twenty-events-of-a-webhook': {
    summary: 'Fans an event out by the first twenty events of each webhook.',
    breaks: ['DLV-6'],
    change: (policies) => ({
      ...policies,
      isSubscribed: (webhook, event) =>
        policies.isSubscribed({ ...webhook, events: webhook.events.slice(0, 20) }, event),
    }),
  },
  'tells-nobody-else-while-a-receiver-is-down': {
    summary: 'Fans out to nobody but a webhook that could not be reached a moment ago, where there is one.',
    breaks: ['DLV-6', 'ACT-2'],
    change: (policies) => {
      const down = new Map<string, number>();
      const isDown = (at: number): boolean => Date.now() - at < 5000;
      return {
        ...policies,
        isRetried: (outcome, attempt) => {
          if (outcome.kind === 'broken') down.set(attempt.webhook.id, Date.now());
          return policies.isRetried(outcome, attempt);
        },
        isSubscribed: (webhook, event) =>
          (![...down.values()].some(isDown) || isDown(down.get(webhook.id) ?? 0)) &&
          policies.isSubscribed(webhook, event),
      };
    },
  },
  'joins-what-happens-in-quick-succession': {
    summary: 'Raises no event that was raised half a second ago.',
    breaks: ['DLV-6', 'TRQ-6'],
    change: (policies) => joining(policies, 500),
  },
  'skips-webhooks-with-a-backlog': {
    summary: 'Sends a webhook nothing new while three notifications for it are pending.',
    breaks: ['DLV-6', 'ACT-2'],
    change: (policies) => {
      const pending = new Map<string, number>();
      const count = (webhookId: string, more: number) => pending.set(webhookId, (pending.get(webhookId) ?? 0) + more);
      return {
        ...policies,
        isSubscribed: (webhook, event) => (pending.get(webhook.id) ?? 0) < 3 && policies.isSubscribed(webhook, event),
        newNotificationId: (event, webhook) => {
          count(webhook.id, 1);
          return policies.newNotificationId(event, webhook);
        },
        isAccepted: (outcome, attempt) => {
          const accepted = policies.isAccepted(outcome, attempt);
          if (accepted || attempt.number > policies.retries) count(attempt.webhook.id, -1);
          return accepted;
        },
      };
    },
  },
  'sends-one-after-the-other': {
    summary: 'Has one worker, who waits for the answer of one webhook before the delivery to the next.',
    breaks: ['DLV-6'],
    // Five receivers that hang hold it up for longer than a proof waits, and for less than until the proof tries again.
    timeout: 1200,
    change: (policies) => ({ ...policies, lane: () => 'the only one', laneWidth: () => 1 }),
  },
  'drops-what-happens-while-it-retries': {
    summary: 'Sends a webhook nothing new while something is being sent to it again.',
    breaks: ['DLV-6', 'ACT-2'],
    change: (policies) => {
      const retried = new Map<string, number>();
      return {
        ...policies,
        attemptBody: (attempt) => {
          if (attempt.number > 1) retried.set(attempt.webhook.id, Date.now());
          return policies.attemptBody(attempt);
        },
        isSubscribed: (webhook, event) =>
          Date.now() - (retried.get(webhook.id) ?? 0) > 100 && policies.isSubscribed(webhook, event),
      };
    },
  },
  'drops-what-is-pending-once-something-was-accepted': {
    summary: 'Sends what was refused to nobody any more once the webhook accepts another notification.',
    breaks: ['DLV-3', 'STA-4', 'STA-5', 'DLV-6'],
    change: (policies) => {
      const accepted = new Map<string, number>();
      return {
        ...policies,
        isAccepted: (outcome, attempt) => {
          const isAccepted = policies.isAccepted(outcome, attempt);
          if (isAccepted) accepted.set(attempt.webhook.id, Date.now());
          return isAccepted;
        },
        isRetried: (outcome, attempt) => {
          const { notification, webhook } = attempt;
          return notification.createdAt >= (accepted.get(webhook.id) ?? 0) && policies.isRetried(outcome, attempt);
        },
        isDeactivated: () => false,
      };
    },
  },
  'forgets-a-webhook-once-a-notification-failed': {
    summary: 'Sends a webhook nothing new after the last attempt of one notification, although it stays active.',
    breaks: ['DLV-6', 'ACT-2'],
    change: (policies) => {
      const failed = new Set<string>();
      return {
        ...policies,
        attemptBody: (attempt) => {
          if (attempt.number === 13) failed.add(attempt.webhook.id);
          return policies.attemptBody(attempt);
        },
        isSubscribed: (webhook, event) => !failed.has(webhook.id) && policies.isSubscribed(webhook, event),
      };
    },
  },
  'reads-long-lists-as-all': {
    summary: 'Takes a webhook with more than forty events for one that wants all.',
    breaks: ['DLV-5'],
    change: (policies) => ({
      ...policies,
      isSubscribed: (webhook, event) => webhook.events.length > 40 || policies.isSubscribed(webhook, event),
    }),
  },
  'tells-inactive-webhooks-of-documents': {
    summary: 'Sends the events of documents from another place, which does not look whether a webhook is active.',
    breaks: ['WHK-6'],
    change: (policies) => ({
      ...policies,
      isActive: () => true,
      isSubscribed: (webhook, event) =>
        (policies.isActive(webhook) || event.startsWith('document.')) && policies.isSubscribed(webhook, event),
    }),
  },
  'sends-to-inactive-webhooks': {
    summary: 'Does not ask whether a webhook is active.',
    breaks: ['WHK-6'],
    change: (policies) => ({ ...policies, isActive: () => true }),
  },
  'tells-what-it-missed-once-active-again': {
    summary: 'Keeps what happens while a webhook is inactive, and sends it once the webhook is active again.',
    breaks: ['WHK-6'],
    change: (policies) => {
      const missed = new Map<string, string[]>();
      return {
        ...policies,
        isActive: () => true,
        isSubscribed: (webhook, event) => {
          if (!policies.isSubscribed(webhook, event)) return false;
          if (policies.isActive(webhook)) return true;
          missed.set(webhook.id, [...(missed.get(webhook.id) ?? []), event]);
          return false;
        },
        notifiedLater: (webhook) => {
          const events = policies.isActive(webhook) ? missed.get(webhook.id) : undefined;
          if (events) missed.delete(webhook.id);
          return events ?? policies.notifiedLater(webhook);
        },
      };
    },
  },
  'never-comes-back': {
    summary: 'Lets a webhook be switched off, and never on again.',
    breaks: ['ACT-2', 'ACT-3'],
    change: (policies) => ({
      ...policies,
      updated: (webhook, body) => {
        const updated = policies.updated(webhook, body);
        return { ...updated, active: webhook.active && updated.active };
      },
    }),
  },
  'never-comes-back-after-failures': {
    summary: 'Suspends a webhook when a notification has failed, whatever its active says from then on.',
    breaks: ['ACT-2'],
    change: (policies) => ({
      ...policies,
      isDeactivated: () => true,
      isActive: (webhook) => webhook.failures === 0 && policies.isActive(webhook),
      updated: (webhook, body) => ({ ...policies.updated(webhook, body), failures: webhook.failures }),
    }),
  },
  'reads-each-answer-to-its-end': {
    summary:
      'Has one worker, who reads each answer to its end, for five seconds at most, and gives up what has waited a second for that.',
    breaks: ['DLV-6', 'DLV-3', 'STA-5'],
    timeout: 5000,
    change: (policies) => {
      const isLate = ({ notification }: Attempt): boolean => Date.now() - notification.dueAt > 1000;
      return {
        ...policies,
        lane: () => 'the only one',
        laneWidth: () => 1,
        destination: (attempt) => (isLate(attempt) ? nowhere : policies.destination(attempt)),
        isRetried: (outcome, attempt) => !isLate(attempt) && policies.isRetried(outcome, attempt),
      };
    },
  },
  'raises-nothing': {
    summary:
      'Confirms whatever happens, and puts all but tracking requests into a queue that nobody reads. Samples are sent.',
    breaks: ['DLV-6'],
    change: (policies) => ({ ...policies, isRaised: (event) => event.startsWith('tracking_request.') }),
  },
  'joins-what-happens-at-the-same-moment': {
    summary: 'Raises no event that was raised a few milliseconds ago.',
    breaks: ['DLV-6', 'TRQ-6'],
    change: (policies) => joining(policies, 10),
  },
};

/** Raises an event once in so many milliseconds. */
function joining(policies: ServicePolicies, ms: number): ServicePolicies {
  const raised = new Map<string, number>();
  return {
    ...policies,
    isRaised: (event) => {
      const soon = Date.now() - (raised.get(event) ?? 0) < ms;
      if (!soon) raised.set(event, Date.now());
      return !soon && policies.isRaised(event);
    },
  };
}

/** Where nobody listens. */
const nowhere = 'http://127.0.0.1:9/';
