import type { ReceiverCheck } from '../check.ts';
import { inOrder } from '../items.ts';
import { acceptanceChecks } from './acceptance/checks.ts';
import { crashChecks } from './crash/checks.ts';
import { idempotencyChecks } from './idempotency/checks.ts';
import { loadChecks } from './load/checks.ts';
import { outageChecks } from './outage/checks.ts';
import { recoveryChecks } from './recovery/checks.ts';
import { retriesChecks } from './retries/checks.ts';
import { robustnessChecks } from './robustness/checks.ts';
import { shutdownChecks } from './shutdown/checks.ts';
import { signatureChecks } from './signature/checks.ts';
import { sourceChecks } from './source/checks.ts';

/** The topics, in the order of the contract; what takes control of the receiver's process comes last. */
const topics = [
  acceptanceChecks,
  signatureChecks,
  idempotencyChecks,
  sourceChecks,
  retriesChecks,
  robustnessChecks,
  loadChecks,
  outageChecks,
  crashChecks,
  shutdownChecks,
  recoveryChecks,
];

/** Checks that disturb those beside them come after the topics that disturb nobody. */
const disturbing = [
  'receiver/acceptance/unknown-event',
  'receiver/acceptance/answers-in-time',
  'receiver/acceptance/not-a-notification',
  'receiver/retries/broken-connection',
  'receiver/idempotency/slow-body',
  'receiver/idempotency/first-delivery-failed',
  'receiver/retries/storm',
  'receiver/signature/malformed',
  'receiver/signature/refusal',
];

/** Every check of a receiver, in the order in which they run and are listed. */
export const receiverChecks: readonly ReceiverCheck[] = inOrder(topics, {
  'receiver/retries/every-retry': disturbing,
  'receiver/idempotency/late-redelivery': [
    // Where work has ended, the others wait in vain. What waits for others to come is seen where none do.
    'receiver/load/still-at-work',
    'receiver/load/after-many',
    'receiver/acceptance/timestamps-ahead',
    // As late as can be.
    'receiver/idempotency/stays-once',
    // It waits while the others do.
    'receiver/load/after-a-pause',
    // Where it ends the work of the receiver, nothing can be seen after it.
    'receiver/load/past-other-types',
  ],
  'receiver/robustness/oversized-bodies': ['receiver/source/changed-list'],
  'receiver/shutdown/in-flight': ['receiver/signature/without-secret', 'receiver/signature/from-the-start'],
});
