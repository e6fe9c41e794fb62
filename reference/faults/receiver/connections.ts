import { once } from 'node:events';
import type { Socket } from 'node:net';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import type { ReceiverFaults } from './fault.ts';

/** Milliseconds for which a delivery waits for a place. */
const untilBusy = 2000;

/** Takes so many connections at a time, and cuts off the others. */
function taking(policies: ReceiverPolicies, connections: number): ReceiverPolicies {
  return {
    ...policies,
    tune: (server) => {
      policies.tune(server);
      server.maxConnections = connections;
    },
  };
}

/** Mistakes with how many are served at a time: by connections, or by places for deliveries (section 4.4). */
export const connectionFaults: ReceiverFaults = {
  'takes-one-connection-at-a-time': {
    summary: 'Serves one connection, and cuts off every other one until that is closed.',
    breaks: ['ROB-1'],
    change: (policies) => taking(policies, 1),
  },
  'takes-the-first-packet-for-the-head': {
    summary: 'Answers 400 where the first part that it reads of a connection does not hold all of the head.',
    breaks: ['RCV-1'],
    change: (policies) => ({
      ...policies,
      tune: (server) => {
        policies.tune(server);
        server.on('connection', (socket: Socket) => {
          socket.once('data', (first: Buffer) => {
            if (!first.includes('\r\n\r\n')) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
          });
        });
      },
    }),
  },
  'lets-a-slow-head-block-the-rest': {
    summary: 'Takes a connection from which something has come, and serves no other until its headers are there.',
    breaks: ['ROB-1', 'RCV-4'],
    timeout: 400,
    change: (policies) => {
      const begun = new Set<Socket>();
      return {
        ...policies,
        tune: (server) => {
          policies.tune(server);
          server.on('connection', (socket: Socket) => {
            socket.once('data', (first: Buffer) => !first.includes('\r\n\r\n') && begun.add(socket));
            socket.once('close', () => begun.delete(socket));
          });
        },
        admit: async (head) => {
          begun.delete(head.socket);
          for (const other of begun) if (begun.has(other)) await once(other, 'close');
          return policies.admit(head);
        },
      };
    },
  },
  'takes-no-more-than-eight-connections': {
    summary: 'Has eight places, and keeps them for connections on which nothing happens.',
    breaks: ['ROB-1'],
    change: (policies) => taking(policies, 8),
  },
  'counts-what-broke-off-as-under-way': {
    summary: 'Takes a hundred deliveries at a time, and gives no place back where the connection of one breaks.',
    breaks: ['ROB-1', 'RTY-1', 'IDM-5'],
    change: (policies) => {
      let underWay = 0;
      return {
        ...policies,
        admit: (head) => (underWay < 100 ? policies.admit(head) : { status: 503, body: 'busy' }),
        collect: async (head) => {
          underWay += 1;
          const body = await policies.collect(head);
          underWay -= 1;
          return body;
        },
      };
    },
  },
  'leaks-a-slot-at-each-refusal': {
    summary: 'Has twenty places, gives none back where a delivery is refused, and answers 503 where none is left.',
    breaks: ['ROB-1'],
    change: (policies) => {
      let free = 20;
      return {
        ...policies,
        admit: async (head) => {
          if (free > 0) return policies.admit(head);
          await new Promise((resolve) => setTimeout(resolve, untilBusy));
          return { status: 503, body: 'busy' };
        },
        answer: (outcome, delivery, notification) => {
          const reply = policies.answer(outcome, delivery, notification);
          if (reply.status >= 400) free -= 1;
          return reply;
        },
      };
    },
  },
  'needs-a-space-behind-the-colon': {
    summary:
      'Takes the head apart itself, and finds no signature where no space stands behind the colon of its header.',
    breaks: ['VRF-1'],
    change: (policies) => {
      const withoutSpace = new WeakSet<Socket>();
      return {
        ...policies,
        tune: (server) => {
          policies.tune(server);
          server.on('connection', (socket: Socket) => {
            socket.on('data', (part: Buffer) => {
              if (/^x-svc-webhook-signature:\S/im.test(part.toString('latin1'))) withoutSpace.add(socket);
            });
          });
        },
        findSignature: (head, name) => (withoutSpace.has(head.socket) ? undefined : policies.findSignature(head, name)),
      };
    },
  },
  'takes-the-body-of-what-has-no-signature-for-a-request': {
    summary:
      'Refuses what has no signature before it reads the body, and takes that for the next request of the connection.',
    breaks: ['ROB-1'],
    change: (policies) => {
      const unread = new WeakSet<Socket>();
      return {
        ...policies,
        admit: (head) => {
          if (unread.has(head.socket)) return { status: 501, body: 'no such method' };
          if (head.method !== 'POST' || head.headers['x-svc-webhook-signature'] !== undefined)
            return policies.admit(head);
          unread.add(head.socket);
          return { status: 401, body: 'no signature' };
        },
      };
    },
  },
};
