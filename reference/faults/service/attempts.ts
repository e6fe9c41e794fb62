import { randomUUID } from 'node:crypto';

import type { AttemptHead, ServicePolicies } from '../../service/policies.ts';
import type { Attempt, CustomHeader, Header } from '../../service/records.ts';
import { type ServiceFaults, rewritten, withAttributes } from './fault.ts';

/** Begins retries otherwise than first attempts. */
function onRetry(policies: ServicePolicies, change: (head: AttemptHead) => AttemptHead): ServicePolicies {
  return {
    ...policies,
    attemptHead: (head, attempt) => {
      const own = policies.attemptHead(head, attempt);
      return attempt.number > 1 ? change(own) : own;
    },
  };
}

/** What goes over the wire is not what should (SVC-2, DLV-1, WHK-10, WHK-11, NTF-3, NTF-7, IPS). */
export const attemptFaults: ServiceFaults = {
  'puts-instead-of-posting': {
    summary: 'Sends deliveries and samples with PUT.',
    breaks: ['SVC-2', 'DLV-1', 'TRG-1'],
    change: (policies) => ({ ...policies, method: 'PUT' }),
  },
  'puts-a-retry': {
    summary: 'Sends retries with PUT, since they replace what was sent before.',
    breaks: ['SVC-2', 'DLV-1'],
    change: (policies) => onRetry(policies, (head) => ({ ...head, method: 'PUT' })),
  },
  'drops-the-query-on-a-retry': {
    summary: 'Queues what is sent again by host and path, and loses the query of the url.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => {
        const url = policies.destination(attempt);
        return attempt.number > 1 ? url.replace(/\?.*/, '') : url;
      },
    }),
  },
  'drops-the-query-of-the-url': {
    summary: 'Sends to the path of the registered url, without its query.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => policies.destination(attempt).replace(/\?.*/, ''),
    }),
  },
  'reads-the-escapes-of-the-path': {
    summary: 'Takes the path of the url apart, reads its escapes, and joins the parts again.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => {
        const url = new URL(policies.destination(attempt));
        const path = decodeURIComponent(url.pathname).split('/').map(encodeURIComponent).join('/');
        return `${url.origin}${path}${url.search}`;
      },
    }),
  },
  'calls-the-json-of-a-retry-bytes': {
    summary: 'Sends a retry from the stored bytes, and says that they are application/octet-stream.',
    breaks: ['DLV-1'],
    change: (policies) =>
      onRetry(policies, (head) => ({
        ...head,
        headers: head.headers.map(([name, value]): Header => [
          name,
          name === 'Content-Type' ? 'application/octet-stream' : value,
        ]),
      })),
  },
  'sends-after-a-time-out-without-headers': {
    summary:
      'Has a client of its own for what was not answered in time, which knows neither signature nor custom headers.',
    breaks: ['SIG-1', 'WHK-9', 'WHK-10'],
    change: (policies) => {
      const late = new Set<number>();
      const isLate = ({ notification, number }: Attempt) => number > 1 && late.has(notification.sequence);
      return {
        ...policies,
        isRetried: (outcome, attempt) => {
          if (outcome.kind === 'timed-out') late.add(attempt.notification.sequence);
          return policies.isRetried(outcome, attempt);
        },
        secretFor: (attempt) => (isLate(attempt) ? undefined : policies.secretFor(attempt)),
        customHeaders: (attempt) => (isLate(attempt) ? [] : policies.customHeaders(attempt)),
      };
    },
  },
  'begins-a-retry-with-a-byte-order-mark': {
    summary: 'Reads what is sent again from a file, and sends the byte order mark along.',
    breaks: ['DLV-1', 'NTF-1', 'NTF-3'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        return attempt.number > 1 ? Buffer.concat([Buffer.from('\ufeff'), body]) : body;
      },
    }),
  },
  'sends-what-takes-long-once-more': {
    summary: 'Takes an answer that takes 300 ms for lost, and sends the notification again under an id of its own.',
    breaks: ['NTF-3', 'DLV-2', 'NTF-9', 'STA-5'],
    change: (policies) => ({
      ...policies,
      timeout: () => 300,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        if (attempt.number === 1) return body;
        return rewritten(body, ({ data, ...rest }) => ({ data: { ...data, id: randomUUID() }, ...rest }));
      },
    }),
  },
  'calls-its-json-text': {
    summary: 'Sends JSON and says that it is text/plain.',
    breaks: ['DLV-1', 'TRG-1'],
    change: (policies) => ({
      ...policies,
      requestHeaders: (parts) =>
        policies
          .requestHeaders(parts)
          .map(([name, value]): Header => [name, name === 'Content-Type' ? 'text/plain' : value]),
    }),
  },
  'changes-the-id-on-a-retry': {
    summary: 'Gives each retry an id of its own.',
    breaks: ['NTF-3', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        if (attempt.number === 1) return body;
        return rewritten(body, ({ data, ...rest }) => ({ data: { ...data, id: randomUUID() }, ...rest }));
      },
    }),
  },
  'changes-the-id-on-the-last-retry': {
    summary: 'Makes the last retry by other code, which gives it an id of its own.',
    breaks: ['NTF-3', 'NTF-9', 'DLV-3'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        if (attempt.number <= policies.retries) return body;
        return rewritten(body, ({ data, ...rest }) => ({ data: { ...data, id: randomUUID() }, ...rest }));
      },
    }),
  },
  'dates-each-attempt-anew': {
    summary: 'Builds the body for each attempt, with the time of the attempt as that of the creation.',
    breaks: ['NTF-7', 'NTF-9'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) =>
        withAttributes(policies.attemptBody(attempt), { created_at: policies.timestamp(Date.now()) }),
    }),
  },
  'sends-no-custom-headers': {
    summary: 'Stores custom headers and never sends them.',
    breaks: ['WHK-10', 'ACT-3'],
    change: (policies) => ({ ...policies, customHeaders: () => [] }),
  },
  'masks-credentials-and-sends-the-mask': {
    summary: 'Hides the values of custom headers that look like credentials before it stores them.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      attributesOf: (...parts) => {
        const { headers, ...attributes } = policies.attributesOf(...parts);
        return { ...attributes, headers: headers?.map(masked) ?? null };
      },
    }),
  },
  'sends-no-header-that-it-does-not-show': {
    summary: 'Hides custom headers that look like credentials from the webhook, and sends what the webhook shows.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) => policies.customHeaders(attempt).filter(({ name }) => !isCredential(name)),
    }),
  },
  'cuts-custom-headers-off': {
    summary: 'Keeps the first 64 characters of the value of a custom header.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) =>
        policies.customHeaders(attempt).map(({ name, value }) => ({ name, value: value.slice(0, 64) })),
    }),
  },
  'stores-255-characters-of-a-custom-header': {
    summary: 'Keeps the value of a custom header in a column of 255 characters, which cuts off what is longer.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) =>
        policies.customHeaders(attempt).map(({ name, value }) => ({ name, value: value.slice(0, 255) })),
    }),
  },
  'writes-underscores-as-hyphens': {
    summary: 'Makes the names of custom headers out of words, and puts a hyphen between them.',
    breaks: ['WHK-10', 'WHK-11'],
    change: (policies) => ({ ...policies, headerName: (name) => policies.headerName(name.replaceAll('_', '-')) }),
  },
  'sends-no-empty-header': {
    summary: 'Leaves a custom header out whose value counts as nothing.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) => policies.customHeaders(attempt).filter(({ value }) => value !== ''),
    }),
  },
  'forgets-custom-headers-on-a-retry': {
    summary: 'Sends custom headers with the first attempt only.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) => (attempt.number > 1 ? [] : policies.customHeaders(attempt)),
    }),
  },
  'smuggles-headers': {
    summary: 'Takes custom headers with line breaks, and sends what follows a break as a header.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      headerProblems: ({ name, value }, pointer) =>
        policies.headerProblems(
          { name: name.split(lineBreak)[0]!.split(':')[0]!, value: value.split(lineBreak)[0]! },
          pointer,
        ),
      requestHeaders: ({ signature, custom }) => [
        ...policies.requestHeaders({ signature, custom: custom.filter(({ name, value }) => !isBroken(name + value)) }),
        ...custom.flatMap(({ name, value }) => (isBroken(name + value) ? linesOf(`${name}: ${value}`) : [])),
      ],
    }),
  },
  'leaves-header-names-as-they-are': {
    summary: 'Shows and sends the names of custom headers as they were given.',
    breaks: ['WHK-11'],
    change: (policies) => ({ ...policies, headerName: (name) => name }),
  },
  'publishes-other-addresses': {
    summary: 'Publishes the addresses of a machine that sends nothing.',
    breaks: ['IPS-2'],
    change: (policies) => ({ ...policies, senderAddresses: () => ['127.0.0.77'] }),
  },
  'publishes-no-addresses': {
    summary: 'Offers the list of sender addresses, and never fills it.',
    breaks: ['IPS-1', 'IPS-2'],
    change: (policies) => ({ ...policies, senderAddresses: () => [] }),
  },
  'makes-the-last-retry-a-notification-of-its-own': {
    summary: 'Makes the last attempt anew, with an id of its own and what there is to say today.',
    breaks: ['NTF-3', 'STA-5', 'NTF-9', 'DLV-3'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        if (attempt.number <= policies.retries) return body;
        return rewritten(body, ({ data, ...rest }) => ({ ...rest, data: { ...data, id: randomUUID() }, included: [] }));
      },
    }),
  },
  'reads-numbers-in-custom-headers': {
    summary: 'Takes the value of a custom header for a number where it looks like one.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) => policies.customHeaders(attempt).map(withNumber),
    }),
  },
};

function withNumber({ name, value }: CustomHeader): CustomHeader {
  return { name, value: /^\d+(\.\d+)?$/.test(value) ? String(Number(value)) : value };
}

function isCredential(name: string): boolean {
  return /auth|key|secret|token/i.test(name);
}

function masked(header: CustomHeader): CustomHeader {
  return isCredential(header.name) ? { ...header, value: '********' } : header;
}

const lineBreak = /[\r\n]+/;

function isBroken(text: string): boolean {
  return lineBreak.test(text);
}

/** What a server that is not careful would see: one header a line. */
function linesOf(text: string): readonly Header[] {
  return text.split(lineBreak).flatMap((line): Header[] => {
    const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value!]];
  });
}
