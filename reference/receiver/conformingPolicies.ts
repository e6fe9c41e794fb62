import { readBody } from './body.ts';
import { readNotification, type Outcome, type Reply } from './records.ts';
import type {
  ConnectionPolicies,
  NotificationPolicies,
  QueuePolicies,
  ReceiverPolicies,
  RecoveryPolicies,
  RestartPolicies,
  SignaturePolicies,
  SourcePolicies,
  TimestampPolicies,
} from './policies.ts';
import { isFailed, readAgain, isPublished } from './serviceLink.ts';
import { readStamped, findHeader, usableSecrets, verifier } from './verify.ts';

const seconds = 1000;

const connections: ConnectionPolicies = {
  tune: (server) => {
    server.headersTimeout = 20 * seconds;
    server.requestTimeout = 60 * seconds;
    server.keepAliveTimeout = 65 * seconds;
  },
  admit: () => undefined,
  collect: (head) => readBody(head),
};

/** The connection says who sends; a header says what the sender likes. */
const sources: SourcePolicies = {
  senderOf: ({ socket }) => (socket.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/i, ''),
  isPublished,
  turnedAway: { status: 403, body: 'refused' },
  followed: (_before, read) => read,
  refreshAfter: (usual) => usual,
};

const signatures: SignaturePolicies = {
  usableSecrets,
  findSignature: findHeader,
  verify: verifier(),
};

/** Clocks differ in both directions. */
const timestamps: TimestampPolicies = {
  readStamped,
  isTimely: (timestamp, { now, tolerance }) => Math.abs(now - timestamp) <= tolerance,
};

/** One answer for each outcome. Refusals say nothing that would help to forge a delivery (section 5.2). */
const answers: Readonly<Record<Outcome, Reply>> = {
  new: { status: 202, body: 'accepted' },
  duplicate: { status: 200, body: 'accepted before' },
  forged: { status: 401, body: 'refused' },
  unreadable: { status: 400, body: 'not a notification' },
};

const notifications: NotificationPolicies = {
  read: readNotification,
  accept: (notification, store) => store.accept({ ...notification, key: notification.id }),
  answer: (outcome) => answers[outcome],
};

const queue: QueuePolicies = {
  work: (store, limit) => store.processPending(limit),
};

/** What is still pending stays in the store, and takes effect after the next start. */
const restarts: RestartPolicies = {
  begin: () => {},
  end: () => {},
};

/** Notifications are not sent again once they have failed, so what they were about is read again. */
const recovery: RecoveryPolicies = {
  recover: async (api) => {
    const missed = (await api.all('webhook_notifications')).filter(isFailed);
    return missed.length === 0 ? [] : readAgain(api, ['shipments', 'containers']);
  },
};

/**
 * The decisions of a receiver that keeps the contract: signatures over the raw bytes (section 5.2), durable acceptance
 * before the answer (4.4), one effect for each id (6, rule 3).
 */
export const conformingPolicies: ReceiverPolicies = {
  ...connections,
  ...sources,
  ...signatures,
  ...timestamps,
  ...notifications,
  ...queue,
  ...restarts,
  ...recovery,
};
