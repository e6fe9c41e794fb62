import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

import { readBody } from '../../receiver/body.ts';
import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { member } from '../../receiver/records.ts';
import type { ReceiverFaults } from './fault.ts';

/** @throws TypeError where it is no UTF-8 */
function strictly(body: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(body);
}

/** Mistakes with bodies in other encodings, and with bytes that are no text (section 4.4). */
export const encodingFaults: ReceiverFaults = {
  'answers-500-to-bytes-that-are-no-utf-8': {
    summary: 'Decodes the body strictly before it is verified, and catches nothing.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      verify: (delivery) => {
        strictly(delivery.body);
        return policies.verify(delivery);
      },
    }),
  },
  'fails-to-log-a-refused-body-that-is-no-utf-8': {
    summary: 'Decodes a body that it refuses for its log, and fails where it is no UTF-8.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      answer: (outcome, delivery, notification) => {
        if (outcome === 'forged') strictly(delivery.body);
        return policies.answer(outcome, delivery, notification);
      },
    }),
  },
  'answers-500-to-a-content-encoding': {
    summary: 'Knows no content encoding, and fails where one is named.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      collect: async (head) => {
        const body = await policies.collect(head);
        if (head.headers['content-encoding'] !== undefined) throw new Error('There is no decoder for this encoding.');
        return body;
      },
    }),
  },
  'answers-500-to-a-broken-gzip-body': {
    summary: 'Decompresses a gzip body, and catches no error of that.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      collect: async (head) => {
        const body = await policies.collect(head);
        return head.headers['content-encoding'] === 'gzip' ? gunzipSync(body, { maxOutputLength: 2 ** 28 }) : body;
      },
    }),
  },
  'dies-of-a-broken-gzip-body': {
    summary: 'Decompresses a gzip body as it comes, and ends with an error event that nobody listens to.',
    breaks: ['ROB-1'],
    change: (policies) =>
      mortal(policies, (die) => ({
        collect: async (head) => {
          const body = await policies.collect(head);
          if (head.headers['content-encoding'] !== 'gzip') return body;
          try {
            return gunzipSync(body);
          } catch {
            throw die();
          }
        },
      })),
  },
};

const never = new Promise<never>(() => {});

/** Refuses some media types with 415. */
function takingOnly(policies: ReceiverPolicies, taken: (type: string) => boolean): ReceiverPolicies {
  return {
    ...policies,
    admit: (head) =>
      taken(mediaType(head)) ? policies.admit(head) : { status: 415, body: 'media type not supported' },
  };
}

function mediaType(head: IncomingMessage): string {
  return head.headers['content-type']?.toLowerCase() ?? '';
}

/** Sizes, media types and time (RCV-2, RCV-4, RCV-7). */
export const transportFaults: ReceiverFaults = {
  'refuses-bodies-above-16-kib': {
    summary: 'Answers 413 to a body of more than 16 KiB.',
    breaks: ['RCV-2'],
    change: (policies) => ({ ...policies, collect: (head) => readBody(head, 16 * 1024) }),
  },
  'answers-415-to-json-api': {
    summary: 'Takes application/json, and not application/vnd.api+json.',
    breaks: ['RCV-7'],
    change: (policies) => takingOnly(policies, (type) => !type.startsWith('application/vnd.api+json')),
  },
  'answers-415-to-a-charset': {
    summary: 'Compares the content type as a whole, so that a parameter makes it another one.',
    breaks: ['RCV-7'],
    change: (policies) => takingOnly(policies, (type) => !type.includes(';')),
  },
  'hangs-on-a-charset': {
    summary: 'Waits for a body that another parser has read already where the content type has a parameter.',
    breaks: ['RCV-7', 'RCV-4', 'ROB-1'],
    timeout: 400,
    change: (policies) => ({
      ...policies,
      collect: (head) => (mediaType(head).includes(';') ? never : policies.collect(head)),
    }),
  },
  'stalls-on-expect-continue': {
    summary: 'Neither asks for the body nor answers where the sender waits for 100 (Continue).',
    breaks: ['ROB-1', 'RCV-4'],
    timeout: 400,
    change: (policies) => ({
      ...policies,
      tune: (server) => {
        policies.tune(server);
        server.on('checkContinue', () => {});
      },
    }),
  },
  'refuses-each-fortieth-of-a-connection': {
    summary: 'Counts the requests of each connection, and refuses every fortieth of one that goes on.',
    breaks: ['RCV-1'],
    change: (policies) => {
      const counts = new WeakMap<Socket, number>();
      return {
        ...policies,
        admit: (head) => {
          const count = (counts.get(head.socket) ?? 0) + 1;
          counts.set(head.socket, count);
          return count % 40 === 0 ? { status: 403, body: 'too many' } : policies.admit(head);
        },
      };
    },
  },
  'hangs-after-what-it-could-not-read': {
    summary: 'Answers nothing more on a connection over which a signed body came that it could not read.',
    breaks: ['ROB-1'],
    timeout: 400,
    change: (policies) => {
      const ended = new WeakSet<Socket>();
      return {
        ...policies,
        admit: (head) => (ended.has(head.socket) ? never : policies.admit(head)),
        answer: (outcome, delivery, ...rest) => {
          if (outcome === 'unreadable') ended.add(delivery.head.socket);
          return policies.answer(outcome, delivery, ...rest);
        },
      };
    },
  },
  'sends-a-body-with-a-204': {
    summary: 'Answers a redelivery with 204, which has no body, and sends one behind it.',
    breaks: ['ROB-1'],
    change: (policies) => ({
      ...policies,
      answer: (outcome, ...rest) => ({
        ...policies.answer(outcome, ...rest),
        ...(outcome === 'duplicate' && { status: 204 }),
      }),
      tune: (server) => {
        policies.tune(server);
        server.prependListener('request', (_, response) => {
          const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
          response.end = (...given: unknown[]) => {
            end(...given);
            if (response.statusCode === 204) response.socket?.write('accepted');
            return response;
          };
        });
      },
    }),
  },
  'takes-one-delivery-at-a-time': {
    summary: 'Works 40 ms on each delivery before it answers, on one after the other.',
    breaks: ['RCV-4'],
    timeout: 600,
    change: (policies) => {
      let turn: Promise<unknown> = Promise.resolve();
      return {
        ...policies,
        accept: async (...delivery) => {
          turn = turn.then(() => delay(40));
          await turn;
          return policies.accept(...delivery);
        },
      };
    },
  },
  'works-on-included-before-it-answers': {
    summary: 'Works 1.5 s on a notification with more than ten included resources before it answers.',
    breaks: ['RCV-2', 'RCV-4'],
    timeout: 1000,
    change: (policies) => ({
      ...policies,
      accept: async (notification, ...rest) => {
        const included = member(notification.value, 'included');
        if (Array.isArray(included) && included.length > 10) await delay(1500);
        return policies.accept(notification, ...rest);
      },
    }),
  },
  'takes-less-of-another-media-type': {
    summary: 'Has a limit of its own for what is not application/json: 16 KiB.',
    breaks: ['RCV-7'],
    change: (policies) => ({
      ...policies,
      collect: (head) => (mediaType(head) === 'application/json' ? policies.collect(head) : readBody(head, 16 * 1024)),
    }),
  },
};

/** Lets the receiver die as its process would: nobody listens any more, every connection is gone. */
export function mortal(
  policies: ReceiverPolicies,
  change: (die: () => Error, tune: (server: Server) => Server) => Partial<ReceiverPolicies>,
): ReceiverPolicies {
  let server: Server | undefined;
  const die = () => {
    server?.close();
    server?.closeAllConnections();
    return new Error('The process has ended.');
  };
  const tune = (tuned: Server) => {
    server = tuned;
    policies.tune(tuned);
    return tuned;
  };
  return { ...policies, tune, ...change(die, tune) };
}
