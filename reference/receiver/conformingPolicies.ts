import { readBody } from './body.ts';
import { readNotification } from './notification.ts';
import type { ReceiverPolicies } from './policies.ts';
import { recoveryPolicies } from './recovery.ts';
import { sourcePolicies } from './sources.ts';
import { findHeader, verifier } from './verify.ts';
import type { Outcome, Reply } from './records.ts';

/** One answer for each outcome. Refusals say nothing that would help to forge a delivery (section 5.2). */
const answers: Readonly<Record<Outcome, Reply>> = {
  new: { status: 202, body: 'accepted' },
  duplicate: { status: 200, body: 'accepted before' },
  forged: { status: 401, body: 'refused' },
  unreadable: { status: 400, body: 'not a notification' },
};

const seconds = 1000;

/**
 * The decisions of a receiver that keeps the contract: signatures over the raw bytes (section 5.2), durable acceptance
 * before the answer (4.4), one effect for each id (6, rule 3).
 */
export const conformingPolicies: ReceiverPolicies = {
  ...sourcePolicies,
  ...recoveryPolicies,
  // What is still pending takes effect by itself.
  begin: () => {},
  tune: (server) => {
    server.headersTimeout = 20 * seconds;
    server.requestTimeout = 60 * seconds;
    server.keepAliveTimeout = 65 * seconds;
  },
  admit: () => undefined,
  collect: (head) => readBody(head),
  findSignature: findHeader,
  verify: verifier(),
  read: readNotification,
  accept: (notification, store) => store.accept({ ...notification, key: notification.id }),
  answer: (outcome) => answers[outcome],
  work: (store, limit) => store.processPending(limit),
  // What is still pending stays in the store for the next start.
  end: () => {},
};
