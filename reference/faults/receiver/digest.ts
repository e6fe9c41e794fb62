import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import type { ReceiverPolicies } from '../../receiver/policies.ts';
import { sign, verifier } from '../../receiver/verify.ts';
import type { ReceiverFaults } from './fault.ts';

/** Expects the digest in another spelling, which for some digests is the usual one. */
function spelling(policies: ReceiverPolicies, spell: (digest: string) => string): ReceiverPolicies {
  return { ...policies, verify: verifier({ sign: (body, secret) => spell(sign(body, secret)) }) };
}

/** Right signatures are refused by chance: it depends on their digits, or on what else arrives (VRF-1). */
export const digestFaults: ReceiverFaults = {
  'writes-small-bytes-as-one-digit': {
    summary: 'Writes each byte of the digest in hex by itself, and those below 16 without their zero.',
    breaks: ['VRF-1', 'RCV-1'],
    change: (policies) => spelling(policies, (digest) => digest.replaceAll(/0(.)|(..)/g, '$1$2')),
  },
  'writes-the-digest-as-a-number': {
    summary: 'Turns the digest into a number, and that into hex: the zeros before it are gone.',
    breaks: ['VRF-1', 'RCV-1'],
    change: (policies) => spelling(policies, (digest) => digest.replace(/^0+/, '')),
  },
  'shares-what-it-verifies': {
    summary: 'Keeps the body that it verifies where other deliveries keep theirs.',
    breaks: ['VRF-1', 'RTY-1', 'RCV-1'],
    change: (policies) => {
      let shared: Buffer = Buffer.alloc(0);
      return {
        ...policies,
        collect: async (head) => {
          const body = await policies.collect(head);
          shared = body;
          await delay(3);
          return body;
        },
        verify: (delivery) => policies.verify({ ...delivery, body: shared }),
      };
    },
  },
  'shares-an-hmac-between-large-bodies': {
    summary:
      'Feeds one HMAC with all bodies, 16 KiB at a time: those that are digested at the same moment get mixed up.',
    breaks: ['VRF-1', 'RCV-1', 'RCV-2'],
    change: (policies) => {
      const digested = new WeakMap<Buffer, Buffer>();
      let fed: Buffer[] = [];
      return {
        ...policies,
        collect: async (head) => {
          const body = await policies.collect(head);
          for (let from = 0; from < body.length; from += piece) {
            fed.push(body.subarray(from, from + piece));
            if (body.length > piece) await turn();
          }
          digested.set(body, Buffer.concat(fed));
          fed = [];
          return body;
        },
        verify: (delivery) => policies.verify({ ...delivery, body: digested.get(delivery.body) ?? delivery.body }),
      };
    },
  },
};

const piece = 16_384;
