import { randomUUID } from 'node:crypto';

import type { CustomHeader } from '../../service/records.ts';
import { rewritten, type ServiceFaults } from './fault.ts';

/** Deliveries go to another URL than the one that was registered, or what belongs to one webhook or notification does not go there (SVC-2, WHK-10, NTF-3). */
export const strayFaults: ServiceFaults = {
  'sends-custom-headers-to-other-webhooks-as-well': {
    summary: 'Sets custom headers on the client that all deliveries share, where they stay.',
    breaks: ['WHK-10', 'ACT-3'],
    change: (policies) => {
      const shared = new Map<string, CustomHeader>();
      return {
        ...policies,
        customHeaders: (attempt) => {
          for (const header of policies.customHeaders(attempt)) shared.set(header.name.toLowerCase(), header);
          return [...shared.values()];
        },
      };
    },
  },
  'joins-the-parts-of-the-path': {
    summary: 'Splits the path of the url at its slashes, and leaves empty parts out when it puts it together.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => policies.destination(attempt).replaceAll(/(?<!:)\/{2,}/g, '/'),
    }),
  },
  'escapes-the-fragment-of-the-url': {
    summary: 'Escapes all that is no part of a path or a query, so that a fragment becomes a part of the path.',
    breaks: ['SVC-2', 'DLV-6'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => policies.destination(attempt).replace('#', '%23'),
    }),
  },
  'sends-to-the-url-in-small-letters': {
    summary: 'Brings the whole url into small letters, and not its host alone.',
    breaks: ['SVC-2'],
    change: (policies) => ({ ...policies, destination: (attempt) => policies.destination(attempt).toLowerCase() }),
  },
  'sends-a-repeated-parameter-once': {
    summary: 'Reads the query of the url into a map, which holds the last value of each name.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => {
        const url = new URL(policies.destination(attempt));
        url.search = new URLSearchParams([...new Map(url.searchParams)]).toString();
        return url.href;
      },
    }),
  },
  'sends-a-plus-without-its-escape': {
    summary: 'Reads the escapes of the query, and escapes too little when it writes them again: %2B becomes a +.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => policies.destination(attempt).replaceAll(/(?<=\?.*)%2B/gi, '+'),
    }),
  },
  'sends-to-the-url-without-its-last-slash': {
    summary: 'Cuts off the slash at the end of a url when it sends, and not when it stores it.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) => policies.destination(attempt).replace(/\/$/, ''),
    }),
  },
  'sends-one-custom-header-of-a-name': {
    summary: 'Reads the custom headers into a map, which holds the last one of each name.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) => {
        const custom = policies.customHeaders(attempt);
        return [...new Map(custom.map((header) => [header.name.toLowerCase(), header])).values()];
      },
    }),
  },
  'sends-nothing-to-a-url-with-a-user': {
    summary:
      'Takes a url with a user and a password, which its HTTP client (fetch, for one) refuses whenever something is sent.',
    breaks: ['SVC-2', 'DLV-6'],
    change: (policies) => ({
      ...policies,
      urlProblems: (url, pointer) => policies.urlProblems(url, pointer).filter(({ rule }) => rule !== 'credentials'),
      destination: (attempt) => policies.destination(attempt).replace(/^.*@.*$/, 'http://127.0.0.1:1/'),
    }),
  },
  'writes-dots-in-parameters-as-underscores': {
    summary: 'Reads the query of the url as PHP does, which makes variables of its names, and writes it again.',
    breaks: ['SVC-2'],
    change: (policies) => ({
      ...policies,
      destination: (attempt) =>
        policies.destination(attempt).replaceAll(/(?<=\?.*)(?<=[?&])[^=&]+/g, (name) => name.replaceAll('.', '_')),
    }),
  },
  'sends-a-request-id-of-its-own': {
    summary: 'Sets X-Request-Id for each request that it makes, also where a webhook is configured with one.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) =>
        policies
          .customHeaders(attempt)
          .map((header) =>
            header.name.toLowerCase() === 'x-request-id' ? { ...header, value: attempt.notification.id } : header,
          ),
    }),
  },
  'sends-a-retry-with-the-headers-of-another-webhook': {
    summary:
      'Leaves the custom headers of a retry on the client, where a retry without any of its own takes them along.',
    breaks: ['WHK-10'],
    change: (policies) => {
      let left: readonly CustomHeader[] = [];
      return {
        ...policies,
        customHeaders: (attempt) => {
          const own = policies.customHeaders(attempt);
          if (attempt.number === 1) return own;
          if (own.length > 0) left = own;
          return left;
        },
      };
    },
  },
  'sends-news-of-documents-without-custom-headers': {
    summary: 'Sends the events of documents by code of their own, which knows of no custom headers.',
    breaks: ['WHK-10'],
    change: (policies) => ({
      ...policies,
      customHeaders: (attempt) =>
        attempt.notification.event.startsWith('document.') ? [] : policies.customHeaders(attempt),
    }),
  },
  'gives-news-of-documents-an-id-for-each-attempt': {
    summary: 'Sends the events of documents by code of their own, which makes a notification for each attempt.',
    breaks: ['NTF-3', 'NTF-9', 'DLV-3'],
    change: (policies) => ({
      ...policies,
      attemptBody: (attempt) => {
        const body = policies.attemptBody(attempt);
        if (attempt.number === 1 || !attempt.notification.event.startsWith('document.')) return body;
        return rewritten(body, ({ data, ...rest }) => ({ data: { ...data, id: randomUUID() }, ...rest }));
      },
    }),
  },
};
