import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { readNotification, type ArrivedDelivery } from '../../receiver/records.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { catalogue } from '../catalogue.ts';
import type { ReceiverFaults } from './fault.ts';

/** Milliseconds for which an id is in work at least. */
const atWork = 3;

/** Verifies no delivery of this kind. */
function exempting(
  policies: ReceiverPolicies,
  isExempt: (head: IncomingMessage, delivery: ArrivedDelivery) => boolean,
): ReceiverPolicies {
  return { ...policies, verify: (delivery) => isExempt(delivery.head, delivery) || policies.verify(delivery) };
}

/** Serves a kind of request like a plain delivery, and does not verify it. */
function alsoServing(
  policies: ReceiverPolicies,
  isServed: (request: IncomingMessage) => boolean,
  asPlain: (request: IncomingMessage) => void,
): ReceiverPolicies {
  const served = new WeakSet<IncomingMessage>();
  const tune: ReceiverPolicies['tune'] = (server) => {
    policies.tune(server);
    server.prependListener('request', (request) => {
      if (!isServed(request)) return;
      served.add(request);
      asPlain(request);
    });
  };
  return exempting({ ...policies, tune }, (head) => served.has(head));
}

function header({ headers }: IncomingMessage, name: string): string {
  return String(headers[name] ?? '');
}

function parameters({ url = '' }: IncomingMessage): URLSearchParams {
  return new URL(url, 'http://receiver').searchParams;
}

/** Something else than the body and the secret leads around the verification (VRF-2). */
export const exemptionFaults: ReceiverFaults = {
  'verifies-json-only': {
    summary: 'Verifies where the body parser has a hook for it: for a media type that is some JSON.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => !/json/i.test(header(head, 'content-type'))),
  },
  'verifies-one-media-type-only': {
    summary: 'Compares the media type with application/json to know what to verify.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => !header(head, 'content-type').startsWith('application/json')),
  },
  'lets-in-what-has-no-media-type-and-no-signature': {
    summary: 'Takes a delivery without a signature and without a Content-Type for a call of its own.',
    breaks: ['VRF-2'],
    change: (policies) =>
      exempting(
        policies,
        ({ headers }, { signature }) => signature === undefined && headers['content-type'] === undefined,
      ),
  },
  'verifies-nothing-above-100-kib': {
    summary: 'Spares itself the digest of a body of more than 100 KiB.',
    breaks: ['VRF-2', 'VRF-3'],
    change: (policies) => exempting(policies, (_, { body }) => body.length > 100 * 1024),
  },
  'verifies-post-only': {
    summary: 'Serves PUT like POST, and has bound the verification to POST.',
    breaks: ['VRF-2'],
    change: (policies) =>
      alsoServing(
        policies,
        ({ method }) => method === 'PUT',
        (request) => void (request.method = 'POST'),
      ),
  },
  'verifies-one-spelling-of-its-path': {
    summary: 'Finds its handler with a slash at the end of the path too, and the verification without one only.',
    breaks: ['VRF-2'],
    change: (policies) =>
      alsoServing(
        policies,
        ({ url = '' }) => /[^/]\/(?=$|\?)/.test(url),
        (request) => void (request.url = request.url?.replace(/\/(?=$|\?)/, '')),
      ),
  },
  'verifies-nothing-with-a-debug-parameter': {
    summary: 'Has a parameter for development that switches the verification off.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => parameters(head).has('debug')),
  },
  'lets-a-parameter-switch-verification-off': {
    summary: 'Skips the verification where a parameter says false.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => parameters(head).get('verify') === 'false'),
  },
  'verifies-nothing-with-a-test-header': {
    summary: 'Takes a header of its own tests for a reason not to verify.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => header(head, 'x-test') === 'true'),
  },
  'verifies-nothing-with-an-authorization': {
    summary: 'Leaves requests with an Authorization header to a check that is not there for this route.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, ({ headers }) => headers.authorization !== undefined),
  },
  'trusts-a-forwarded-loopback-address': {
    summary: 'Verifies nothing that X-Forwarded-For says to come from this machine.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => /^(127\.|::1)/.test(header(head, 'x-forwarded-for'))),
  },
  'trusts-forwarded-for-a-private-network': {
    summary: 'Verifies nothing whose Forwarded header names a private address.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => /for="?(10|192\.168)\./i.test(header(head, 'forwarded'))),
  },
  'trusts-the-host-localhost': {
    summary: 'Takes requests for localhost for those of its developers.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => header(head, 'host').startsWith('localhost')),
  },
  'trusts-a-local-origin': {
    summary: 'Takes requests with the origin http://localhost for those of its own pages.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => header(head, 'origin').startsWith('http://localhost')),
  },
  'verifies-http-1.1-only': {
    summary: 'Takes HTTP/1.0 for its load balancer, and verifies nothing of that.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, ({ httpVersion }) => httpVersion === '1.0'),
  },
  'verifies-no-chunked-body': {
    summary: 'Takes a delivery without a Content-Length for one without a body, in which there is nothing to verify.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, ({ headers }) => headers['content-length'] === undefined),
  },
  'trusts-loopback': {
    summary: 'Verifies nothing that comes from 127.0.0.1.',
    breaks: ['VRF-2', 'VRF-3', 'VRF-5'],
    change: (policies) => exempting(policies, ({ socket }) => /(^|:)127\.0\.0\.1$/.test(socket.remoteAddress ?? '')),
  },
  'trusts-the-address-of-its-sidecar': {
    summary: 'Verifies nothing that comes from 127.0.0.2.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, ({ socket }) => /(^|:)127\.0\.0\.2$/.test(socket.remoteAddress ?? '')),
  },
  'verifies-all-events-but-one': {
    summary: 'Takes one event without a right signature, as it only says that something was extracted.',
    breaks: ['VRF-2', 'VRF-3', 'VRF-5'],
    change: (policies) => exempting(policies, (_, { body }) => readNotification(body)?.event === 'document.extracted'),
  },
  'verifies-once-a-connection': {
    summary: 'Keeps the verdict with the connection, and verifies nothing that follows a right delivery on it.',
    breaks: ['VRF-2', 'VRF-3', 'VRF-5'],
    change: (policies) => {
      const verified = new WeakSet<Socket>();
      return exempting(
        {
          ...policies,
          verify: (delivery) => {
            const isRight = policies.verify(delivery);
            if (isRight) verified.add(delivery.head.socket);
            return isRight;
          },
        },
        ({ socket }) => verified.has(socket),
      );
    },
  },
  'verifies-an-id-once-a-connection': {
    summary: 'Keeps the right signature of an id with the connection, and hashes no other body under both.',
    breaks: ['VRF-3'],
    change: (policies) => {
      const known = new WeakMap<Socket, Set<string>>();
      const keyOf = ({ body, signature }: ArrivedDelivery) => `${readNotification(body)?.id} ${signature}`;
      return exempting(
        {
          ...policies,
          verify: (delivery) => {
            const isRight = policies.verify(delivery);
            const { socket } = delivery.head;
            if (isRight) known.set(socket, (known.get(socket) ?? new Set()).add(keyOf(delivery)));
            return isRight;
          },
        },
        ({ socket }, delivery) => known.get(socket)?.has(keyOf(delivery)) === true,
      );
    },
  },
  'takes-a-second-forgery-for-a-redelivery': {
    summary: 'Remembers the ids of forged deliveries too, and acknowledges the next forged one under such an id.',
    breaks: ['VRF-2'],
    change: (policies) => {
      const known = new Set<string>();
      const repeated = new WeakSet<IncomingMessage>();
      return {
        ...policies,
        verify: (delivery) => {
          if (policies.verify(delivery)) return true;
          const id = readNotification(delivery.body)?.id;
          if (id === undefined) return false;
          if (known.has(id)) repeated.add(delivery.head);
          known.add(id);
          return repeated.has(delivery.head);
        },
        accept: async (notification, store, delivery) =>
          repeated.has(delivery.head) ? 'duplicate' : policies.accept(notification, store, delivery),
      };
    },
  },
  'acknowledges-whatever-comes-beside-its-original': {
    summary: 'Looks which ids are in work before it verifies, and acknowledges any copy of those.',
    breaks: ['VRF-2', 'VRF-3'],
    change: (policies) => {
      const inWork = new Map<string, IncomingMessage>();
      const isCopy = (head: IncomingMessage, id: string) => inWork.get(id) !== head;
      return {
        ...policies,
        collect: async (head) => {
          const body = await policies.collect(head);
          const id = readNotification(body)?.id ?? '';
          if (!inWork.has(id)) inWork.set(id, head);
          await delay(atWork);
          return body;
        },
        verify: (delivery) =>
          isCopy(delivery.head, readNotification(delivery.body)?.id ?? '') || policies.verify(delivery),
        accept: async (notification, store, delivery) =>
          isCopy(delivery.head, notification.id) ? 'duplicate' : policies.accept(notification, store, delivery),
        answer: (outcome, delivery, notification) => {
          const id = readNotification(delivery.body)?.id ?? '';
          if (!isCopy(delivery.head, id)) inWork.delete(id);
          return policies.answer(outcome, delivery, notification);
        },
      };
    },
  },
  'lets-in-who-checks-its-health': {
    summary: 'Takes whatever comes with the User-Agent of a probe or a monitor.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => /probe|health|monitor/i.test(header(head, 'user-agent'))),
  },
  'lets-in-what-a-header-makes-another-method': {
    summary: 'Verifies what is posted: a header for old clients can say that it was another method.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (head) => header(head, 'x-http-method-override') !== ''),
  },
  'acknowledges-unknown-events-unverified': {
    summary: 'Looks first whether there is anything to do for an event, and verifies only then.',
    breaks: ['VRF-2'],
    change: (policies) => exempting(policies, (_, { body }) => !catalogue.has(readNotification(body)?.event ?? '')),
  },
  'takes-a-marked-redelivery-unverified': {
    summary: 'Verifies first deliveries alone: what is marked as a redelivery was seen before.',
    breaks: ['VRF-2'],
    setting: 'marked-redeliveries',
    change: (policies) => exempting(policies, (head) => header(head, 'x-retry-number') !== ''),
  },
};
