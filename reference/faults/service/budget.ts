import { member } from '../../service/reply.ts';
import type { ServicePolicies } from '../../service/policies.ts';
import { type ServiceFaults, withAttributes } from './fault.ts';

/** Too many retries, too few, or a status that is not true (STA-1 to STA-5). */
export const budgetFaults: ServiceFaults = {
  'retries-once-too-often': {
    summary: 'Counts the first attempt as no attempt, and makes thirteen retries.',
    breaks: ['STA-2'],
    change: (policies) => ({ ...policies, retries: policies.retries + 1 }),
  },
  'gives-up-one-retry-too-early': {
    summary: 'Counts the first attempt as a retry, and makes eleven.',
    breaks: ['STA-5'],
    change: (policies) => ({ ...policies, retries: policies.retries - 1 }),
  },
  'counts-the-retries-of-a-webhook-together': {
    summary: 'Counts refusals with the webhook, and gives a notification up at the thirteenth of any.',
    breaks: ['STA-5', 'DLV-3', 'STA-2'],
    change: (policies) => {
      const refusals = new Map<string, number>();
      return {
        ...policies,
        isAccepted: (outcome, attempt) => {
          const accepted = policies.isAccepted(outcome, attempt);
          if (accepted) refusals.delete(attempt.webhook.id);
          return accepted;
        },
        isRetried: (outcome, attempt) => {
          const count = (refusals.get(attempt.webhook.id) ?? 0) + 1;
          refusals.set(attempt.webhook.id, count > policies.retries ? 0 : count);
          return count <= policies.retries && policies.isRetried(outcome, attempt);
        },
      };
    },
  },
  'counts-retries-anew-once-its-url-is-updated': {
    summary: 'Sets what it counts with a webhook back to nothing whenever an update names its url.',
    breaks: ['STA-2'],
    change: (policies) => {
      const { count, beginAnew } = countedByWebhook(policies);
      return {
        ...policies,
        ...count,
        updated: (webhook, body) => {
          if (member(body, 'data', 'attributes', 'url') !== undefined) beginAnew(webhook);
          return policies.updated(webhook, body);
        },
      };
    },
  },
  'gives-up-after-three-retries': {
    summary: 'Makes three retries, as its library does unless configured otherwise.',
    breaks: ['STA-5'],
    change: (policies) => ({ ...policies, retries: 3 }),
  },
  'counts-no-refusal-that-asks-to-wait': {
    summary: 'Takes an answer of 429 for no attempt, and makes as many retries beside it.',
    breaks: ['STA-2'],
    change: (policies) => {
      const waits = new Map<string, number>();
      return {
        ...policies,
        retries: 1000,
        isRetried: (outcome, attempt) => {
          const { id } = attempt.notification;
          const waited = (waits.get(id) ?? 0) + (outcome.kind === 'answered' && outcome.status === 429 ? 1 : 0);
          waits.set(id, waited);
          return attempt.number - waited <= policies.retries && policies.isRetried(outcome, attempt);
        },
      };
    },
  },
  'retries-once-more-after-a-time-out': {
    summary: 'Looks whether a retry is left before an attempt only, and not where a time-out is handled.',
    breaks: ['STA-2'],
    change: (policies) => ({
      ...policies,
      retries: policies.retries + 1,
      isRetried: (outcome, attempt) =>
        (outcome.kind === 'timed-out' || attempt.number <= policies.retries) && policies.isRetried(outcome, attempt),
    }),
  },
  'says-failed-on-a-retry': {
    summary: 'Marks a notification as failed with each refusal, and sends it so when it is tried again.',
    breaks: ['STA-3'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) =>
        attempt.number > 1
          ? withAttributes(policies.attemptBody(attempt), { delivery_status: 'failed' })
          : policies.attemptBody(attempt),
    }),
  },
  'never-gives-up-where-nothing-answers': {
    summary: 'Counts the answers of a receiver, and no attempt that broke.',
    breaks: ['STA-2'],
    change: (policies) => ({
      ...policies,
      retries: 1000,
      isRetried: (outcome, attempt) =>
        (outcome.kind === 'broken' || attempt.number <= policies.retries) && policies.isRetried(outcome, attempt),
    }),
  },
  'never-marks-a-notification-failed': {
    summary: 'Leaves a notification pending after its last retry.',
    breaks: ['STA-2'],
    change: (policies) => ({ ...policies, finalStatus: (_outcome, accepted) => (accepted ? 'succeeded' : 'pending') }),
  },
  'marks-what-was-refused-as-succeeded': {
    summary: 'Marks a notification as succeeded when it is done with it, whatever came of it.',
    breaks: ['STA-2'],
    change: (policies) => ({ ...policies, finalStatus: () => 'succeeded' }),
  },
  'gives-up-after-three-time-outs-in-a-row': {
    summary: 'Takes a receiver that let three attempts time out for one that is gone, and gives up.',
    breaks: ['STA-5'],
    change: (policies) => {
      const inARow = new Map<string, number>();
      return {
        ...policies,
        isRetried: (outcome, attempt) => {
          const { id } = attempt.notification;
          inARow.set(id, outcome.kind === 'timed-out' ? (inARow.get(id) ?? 0) + 1 : 0);
          return inARow.get(id)! < 3 && policies.isRetried(outcome, attempt);
        },
      };
    },
  },
  'counts-retries-anew-once-another-is-accepted': {
    summary:
      'Takes a webhook that accepts something for one that is back, and counts the retries of the rest from the beginning.',
    breaks: ['STA-2'],
    change: (policies) => {
      const { count, beginAnew } = countedByWebhook(policies);
      return {
        ...policies,
        ...count,
        isAccepted: (outcome, attempt) => {
          const accepted = policies.isAccepted(outcome, attempt);
          if (accepted) beginAnew(attempt.webhook);
          return accepted;
        },
      };
    },
  },
  'delivers-failed-notifications-again': {
    summary: 'Has a nightly job that sends once more what has failed.',
    breaks: ['STA-3', 'STA-2'],
    change: (policies) => ({
      ...policies,
      redeliverAfter: (status) => (status === 'failed' ? 600 : policies.redeliverAfter(status)),
    }),
  },
  'delivers-failed-notifications-again-once-another-is-accepted': {
    summary: 'Takes a webhook that accepts something for one that is back, and sends once more what has failed there.',
    breaks: ['STA-3', 'STA-2'],
    change: (policies) => ({
      ...policies,
      redeliverToo: ({ webhook }) => `status = 'failed' AND webhook_id = '${webhook.id}'`,
    }),
  },
  'gives-up-all-of-a-webhook-with-one': {
    summary: 'Fails everything that is pending for a webhook as soon as one of its notifications has failed.',
    breaks: ['STA-5'],
    change: (policies) => {
      const newest = new Map<string, number>();
      const givenUp = new Map<string, number>();
      return {
        ...policies,
        isAccepted: (outcome, attempt) => {
          const { webhookId, sequence } = attempt.notification;
          newest.set(webhookId, Math.max(sequence, newest.get(webhookId) ?? 0));
          const accepted = policies.isAccepted(outcome, attempt);
          if (!accepted && attempt.number > policies.retries) givenUp.set(webhookId, newest.get(webhookId) ?? 0);
          return accepted;
        },
        isRetried: (outcome, attempt) =>
          attempt.notification.sequence > (givenUp.get(attempt.notification.webhookId) ?? -1) &&
          policies.isRetried(outcome, attempt),
      };
    },
  },
  'calls-a-notification-failed-between-attempts': {
    summary: 'Lists a notification as failed while its retries go on.',
    breaks: ['STA-3', 'STA-1', 'STA-5'],
    change: (policies) => ({
      ...policies,
      shownStatus: (notification) =>
        notification.status === 'pending' && notification.attempts > 0 ? 'failed' : policies.shownStatus(notification),
    }),
  },
  'lists-new-notifications-as-succeeded': {
    summary: 'Lists a notification as succeeded as soon as it has been put into the queue.',
    breaks: ['STA-1'],
    change: (policies) => ({
      ...policies,
      shownStatus: (notification) =>
        notification.status === 'pending' ? 'succeeded' : policies.shownStatus(notification),
    }),
  },
  'lists-what-was-sent-once-as-succeeded': {
    summary: 'Lists a notification as succeeded once it was sent, until it was refused for the second time.',
    breaks: ['STA-1'],
    change: (policies) => ({
      ...policies,
      shownStatus: (notification) =>
        notification.status === 'pending' && notification.attempts === 1
          ? 'succeeded'
          : policies.shownStatus(notification),
    }),
  },
  'says-succeeded-in-what-it-delivers': {
    summary: 'Writes succeeded into the body of every delivery, since it takes for granted that it arrives.',
    breaks: ['STA-1'],
    change: (policies) => ({
      ...policies,
      notificationBody: (...parts) =>
        withAttributes(policies.notificationBody(...parts), { delivery_status: 'succeeded' }),
    }),
  },
  'leaves-accepted-notifications-pending': {
    summary: 'Stops to send after an acceptance, and forgets to record it.',
    breaks: ['STA-4'],
    change: (policies) => ({ ...policies, finalStatus: (_outcome, accepted) => (accepted ? 'pending' : 'failed') }),
  },
  'marks-late-acceptances-as-failed': {
    summary: 'Records what came of the first attempt, even where a retry was accepted.',
    breaks: ['STA-4'],
    change: (policies) => {
      let retried = false;
      return {
        ...policies,
        isRetried: (...judged) => {
          retried = true;
          return policies.isRetried(...judged);
        },
        finalStatus: (outcome, accepted) => (accepted && retried ? 'failed' : policies.finalStatus(outcome, accepted)),
      };
    },
  },
  'makes-no-retry': {
    summary: 'Sends everything once, and marks as failed what was refused.',
    breaks: ['DLV-3', 'DLV-4', 'STA-5'],
    change: (policies) => ({ ...policies, isRetried: () => false }),
  },
  'is-done-with-what-it-has-sent': {
    summary: 'Sends everything once, and marks it as succeeded whatever came of it.',
    breaks: ['DLV-3', 'DLV-4', 'STA-5', 'STA-2'],
    change: (policies) => ({ ...policies, isRetried: () => false, finalStatus: () => 'succeeded' }),
  },
  'delivers-failed-notifications-again-to-a-new-url': {
    summary:
      'Takes a webhook with a new url for one that is back, and sends what has failed there with what it delivers next.',
    breaks: ['STA-3', 'STA-2'],
    change: (policies) => {
      const moved = new Set<string>();
      return {
        ...policies,
        updated: (webhook, body) => {
          const after = policies.updated(webhook, body);
          if (after.url !== webhook.url) moved.add(webhook.id);
          return after;
        },
        redeliverToo: () => {
          const ids = [...moved].map((id) => `'${id}'`).join();
          moved.clear();
          return ids === '' ? undefined : `status = 'failed' AND webhook_id IN (${ids})`;
        },
      };
    },
  },
  'lists-all-with-thirteen-attempts-as-failed': {
    summary: 'Tells what has failed by the number of its attempts, also where the last of them was accepted.',
    breaks: ['STA-4'],
    change: (policies) => ({
      ...policies,
      shownStatus: (notification) =>
        notification.attempts > policies.retries ? 'failed' : policies.shownStatus(notification),
    }),
  },
};

/** Policies that count the attempts at a webhook, and what lets the count begin anew. */
function countedByWebhook(policies: ServicePolicies) {
  const latest = new Map<string, number>();
  const forgotten = new Map<string, number>();
  const count: Pick<ServicePolicies, 'retries' | 'isRetried'> = {
    retries: 1000,
    isRetried: (outcome, attempt) => {
      latest.set(attempt.webhook.id, attempt.number);
      const counted = attempt.number - (forgotten.get(attempt.webhook.id) ?? 0);
      return counted <= policies.retries && policies.isRetried(outcome, attempt);
    },
  };
  const beginAnew = ({ id }: { readonly id: string }): void => void forgotten.set(id, latest.get(id) ?? 0);
  return { count, beginAnew };
}
