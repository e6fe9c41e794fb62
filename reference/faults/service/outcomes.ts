import type { Outcome } from '../../service/records.ts';
import type { ServicePolicies } from '../../service/policies.ts';
import type { ServiceFaults } from './fault.ts';

/** What an attempt led to is judged wrongly (DLV-2, DLV-3, DLV-4). */
export const outcomeFaults: ServiceFaults = {
  'counts-204-as-failure': {
    summary: 'Takes an answer without a body for none.',
    breaks: ['DLV-2', 'STA-4'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) => !has(outcome, 204) && policies.isAccepted(outcome, attempt),
    }),
  },
  'counts-202-as-failure': {
    summary: 'Retries what a receiver has put into its queue.',
    breaks: ['DLV-2', 'STA-4'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) => !has(outcome, 202) && policies.isAccepted(outcome, attempt),
    }),
  },
  'counts-202-of-a-retry-as-failure': {
    summary: 'Compares the answer to a retry with a list of its own, in which 202 is missing.',
    breaks: ['DLV-2', 'STA-4'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) =>
        !(attempt.number > 1 && has(outcome, 202)) && policies.isAccepted(outcome, attempt),
    }),
  },
  'delivers-accepted-notifications-again': {
    summary: 'Has two workers that pick up the same notification.',
    breaks: ['DLV-2'],
    change: (policies) => ({
      ...policies,
      redeliverAfter: (status) => (status === 'succeeded' ? 10 : policies.redeliverAfter(status)),
    }),
  },
  'counts-every-2xx-as-success': {
    summary: 'Takes every status from 200 to 299 for an acceptance.',
    breaks: ['DLV-3'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) => has(outcome, 200, 299) || policies.isAccepted(outcome, attempt),
    }),
  },
  'counts-redirects-as-success': {
    summary: 'Takes everything below 400 for an acceptance.',
    breaks: ['DLV-3'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) => has(outcome, 200, 399) || policies.isAccepted(outcome, attempt),
    }),
  },
  'follows-redirects': {
    summary: 'Goes where the Location of a redirect points to, and judges what is answered there.',
    breaks: ['DLV-3'],
    change: (policies) => ({
      ...policies,
      redirect: (outcome, url) => targetOf(outcome, url)?.href,
    }),
  },
  'follows-redirects-to-other-hosts': {
    summary: 'Leaves a redirect within the registered origin alone, and takes one to another for a move.',
    breaks: ['DLV-3'],
    change: (policies) => ({
      ...policies,
      redirect: (outcome, url) => {
        const target = targetOf(outcome, url);
        return target === undefined || target.origin === new URL(url).origin ? undefined : target.href;
      },
    }),
  },
  'follows-permanent-redirects-of-a-retry': {
    summary: 'Sends retries by a client that follows 308.',
    breaks: ['DLV-3'],
    change: (policies) => ({
      ...policies,
      redirect: (outcome, url, { number }) =>
        number > 1 && has(outcome, 307, 308) ? targetOf(outcome, url)?.href : undefined,
    }),
  },
  'gives-up-on-a-client-error': {
    summary: 'Takes every 4xx for final.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => ({ ...policies, isRetried: (outcome) => !has(outcome, 400, 499) }),
  },
  'gives-up-on-410': {
    summary: 'Takes 410 (Gone) for the end of the webhook.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => ({ ...policies, isRetried: (outcome) => !has(outcome, 410) }),
  },
  'turns-inactive-after-410': {
    summary: 'Takes 410 (Gone) for the end of the webhook, and switches it off.',
    breaks: ['ACT-1'],
    change: (policies) => ({ ...policies, turnsInactive: (outcome) => has(outcome, 410) }),
  },
  'turns-inactive-after-a-time-out': {
    summary: 'Switches a webhook off whose receiver did not answer in time, be it once.',
    breaks: ['ACT-1'],
    change: (policies) => ({ ...policies, turnsInactive: ({ kind }) => kind === 'timed-out' }),
  },
  'gives-up-where-it-is-asked-to-wait': {
    summary: 'Puts off what is refused with Retry-After, and forgets to take it up again.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome) => !(outcome.kind === 'answered' && outcome.retryAfter !== undefined),
    }),
  },
  'cannot-read-a-date-in-retry-after': {
    summary: 'Reads Retry-After as a number of seconds, and plans the retry for no time at all where it is a date.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome) => !(outcome.kind === 'answered' && outcome.retryAfter?.endsWith(' GMT')),
    }),
  },
  'gives-up-on-a-time-out': {
    summary: 'Does not retry what was not answered in time.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({ ...policies, isRetried: ({ kind }) => kind !== 'timed-out' }),
  },
  'waits-for-the-end-of-every-answer': {
    summary: 'Gives the head of an answer its time, and reads the body for as long as it goes on.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({ ...policies, timed: 'head' }),
  },
  'gives-up-on-a-broken-connection': {
    summary: 'Does not retry where the connection was refused or broke.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({ ...policies, isRetried: ({ kind }) => kind !== 'broken' }),
  },
  'gives-up-on-an-empty-reply': {
    summary: 'Does not retry where the receiver closed the connection without an answer.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({
      ...policies,
      // What the client calls a connection that the other side closed.
      isRetried: (outcome) => !(outcome.kind === 'broken' && outcome.code === 'UND_ERR_SOCKET'),
    }),
  },
  'gives-up-on-what-is-no-http': {
    summary: 'Does not retry where something answered that does not speak HTTP: that is no receiver, it thinks.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome) => !(outcome.kind === 'broken' && outcome.code === 'HTTPParserError'),
    }),
  },
  'gives-up-on-a-refused-connection': {
    summary: 'Takes a refused connection for a receiver that is no more.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome) => !(outcome.kind === 'broken' && outcome.code === 'ECONNREFUSED'),
    }),
  },
  'loses-a-worker-to-each-time-out': {
    summary: 'Keeps the place in its pool of an attempt that timed out: after five of them nothing is sent any more.',
    breaks: ['DLV-6', 'DLV-4', 'DLV-3', 'STA-5', 'TRQ-3', 'TRQ-6'],
    change: (policies) => {
      let lost = 0;
      return {
        ...policies,
        isRetried: (outcome, attempt) => {
          if (outcome.kind === 'timed-out') lost += 1;
          return policies.isRetried(outcome, attempt);
        },
        isRaised: (event) => lost < 5 && policies.isRaised(event),
      };
    },
  },
  'reads-an-error-in-an-accepting-answer': {
    summary: 'Takes an answer whose body speaks of an error for a failure, whatever its status.',
    breaks: ['DLV-2', 'STA-4'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) =>
        !(outcome.kind === 'answered' && /error/i.test(outcome.body)) && policies.isAccepted(outcome, attempt),
    }),
  },
  'takes-an-answer-in-chunks-for-none': {
    summary: 'Takes an answer for broken that has a body and no Content-Length.',
    breaks: ['DLV-2', 'STA-4'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) => {
        const inChunks = outcome.kind === 'answered' && outcome.length === undefined && outcome.body !== '';
        return !inChunks && policies.isAccepted(outcome, attempt);
      },
    }),
  },
  'gives-up-on-a-rare-status': {
    summary: 'Knows the statuses that may pass by their names, and has none for 423 and 508.',
    breaks: ['DLV-3'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome, attempt) => !has(outcome, 423) && !has(outcome, 508) && policies.isRetried(outcome, attempt),
    }),
  },
  'gives-up-on-a-retry-that-breaks': {
    summary: 'Tries a connection that broke once more, and takes a second one for the end of the receiver.',
    breaks: ['DLV-4', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isRetried: (outcome, attempt) =>
        !(outcome.kind === 'broken' && attempt.number > 1) && policies.isRetried(outcome, attempt),
    }),
  },
  'takes-any-success-for-an-answer-to-a-retry': {
    summary: 'Judges retries by other code, which takes every status that begins with 2.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) =>
        (attempt.number > 1 && has(outcome, 200, 299)) || policies.isAccepted(outcome, attempt),
    }),
  },
  'takes-no-answer-without-a-reason': {
    summary:
      'Reads the status from a first line of three words, and takes an answer without a reason phrase for broken.',
    breaks: ['DLV-2'],
    change: (policies) => acceptingUnless(policies, ({ reason }) => reason === ''),
  },
  'takes-no-answer-without-a-length': {
    summary: 'Reads as many bytes as Content-Length says, and takes an answer without it for broken.',
    breaks: ['DLV-2'],
    change: (policies) => acceptingUnless(policies, ({ status, length }) => status !== 204 && length === undefined),
  },
  'reads-no-answer-in-gzip': {
    summary: 'Reads what an answer says as text, and fails where that is in gzip.',
    breaks: ['DLV-2'],
    change: (policies) => acceptingUnless(policies, ({ body }) => body.startsWith('\u001f')),
  },
  'takes-a-conflict-on-a-retry-for-an-acceptance': {
    summary: 'Takes 409 as an answer to a retry to say that an attempt before has come.',
    breaks: ['DLV-3', 'STA-5'],
    change: (policies) => ({
      ...policies,
      isAccepted: (outcome, attempt) =>
        policies.isAccepted(outcome, attempt) || (attempt.number > 1 && has(outcome, 409)),
    }),
  },
  'leaves-the-body-of-a-refusal-unread': {
    summary:
      'Reads no refusal, and so keeps its connection: with twelve of them the pool is empty, and nothing is sent any more.',
    breaks: ['DLV-6', 'DLV-4', 'DLV-3', 'STA-5', 'TRQ-3', 'TRQ-6'],
    change: (policies) => {
      let kept = 0;
      return {
        ...policies,
        isRetried: (outcome, attempt) => {
          if (outcome.kind === 'answered' && outcome.body !== '') kept += 1;
          return policies.isRetried(outcome, attempt);
        },
        isRaised: (event) => kept < 12 && policies.isRaised(event),
      };
    },
  },
  'counts-no-attempt-that-timed-out': {
    summary: 'Makes a retry more for each time-out before the last attempt.',
    breaks: ['STA-2'],
    change: (policies) => {
      const timedOut = new Map<string, number>();
      return {
        ...policies,
        retries: 1000,
        isRetried: (outcome, { notification: { id }, ...rest }) => {
          const before = timedOut.get(id) ?? 0;
          timedOut.set(id, before + (outcome.kind === 'timed-out' ? 1 : 0));
          return rest.number - before <= policies.retries;
        },
      };
    },
  },
};

type Answered = Extract<Outcome, { readonly kind: 'answered' }>;

/** Takes such an answer for a refusal, whatever its status. */
function acceptingUnless(policies: ServicePolicies, isSuch: (answer: Answered) => boolean): ServicePolicies {
  return {
    ...policies,
    isAccepted: (outcome, attempt) =>
      !(outcome.kind === 'answered' && isSuch(outcome)) && policies.isAccepted(outcome, attempt),
  };
}

/** Where a redirect leads to; nothing where it is none. */
function targetOf(outcome: Outcome, url: string): URL | undefined {
  if (!has(outcome, 300, 399) || outcome.kind !== 'answered' || outcome.location === undefined) return undefined;
  return new URL(outcome.location, url);
}

/** Whether the outcome is an answer with a status in this range, bounds included. */
function has(outcome: Outcome, least: number, most: number = least): boolean {
  return outcome.kind === 'answered' && outcome.status >= least && outcome.status <= most;
}
