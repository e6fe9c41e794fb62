import type { ServiceFaults } from './fault.ts';
import { answerFaults } from './answers.ts';
import { apiFaults } from './api.ts';
import { attemptFaults } from './attempts.ts';
import { budgetFaults } from './budget.ts';
import { creationFaults } from './creations.ts';
import { misreadFaults } from './misread.ts';
import { listFaults } from './lists.ts';
import { notificationFaults } from './notifications.ts';
import { outcomeFaults } from './outcomes.ts';
import { restartFaults } from './restart.ts';
import { sampleFaults } from './samples.ts';
import { signingFaults } from './signing.ts';
import { overlookedFaults } from './overlooked.ts';
import { queuedFaults } from './queued.ts';
import { strayFaults } from './strays.ts';
import { subscriptionFaults } from './subscriptions.ts';
import { subtleServiceFaults } from './subtle/index.ts';
import { trackingFaults } from './tracking.ts';
import { updateFaults } from './updates.ts';
import { webhookFaults } from './webhooks.ts';

/**
 * Every mistake that a service is known to make and that its clients can see, by a name that says what it does.
 *
 * @example
 * await startService({ policies: serviceFaults['follows-redirects']!.change(conformingPolicies) });
 */
export const serviceFaults: ServiceFaults = {
  ...signingFaults,
  ...attemptFaults,
  ...outcomeFaults,
  ...answerFaults,
  ...budgetFaults,
  ...notificationFaults,
  ...listFaults,
  ...subscriptionFaults,
  ...updateFaults,
  ...overlookedFaults,
  ...strayFaults,
  ...webhookFaults,
  ...creationFaults,
  ...misreadFaults,
  ...apiFaults,
  ...sampleFaults,
  ...trackingFaults,
  ...restartFaults,
  ...queuedFaults,
  ...subtleServiceFaults,
};

/** In the order of the registry. */
export const serviceFaultNames: readonly string[] = Object.keys(serviceFaults);

/** Those that any run of the suite shows, without the process being ended and started again. */
export const plainServiceFaultNames: readonly string[] = serviceFaultNames.filter((name) => {
  const { processControl, subtle } = serviceFaults[name]!;
  return processControl === undefined && subtle === undefined;
});

/** Those that only a search has to find, in the order of the registry. */
export const subtleServiceFaultNames: readonly string[] = serviceFaultNames.filter(
  (name) => serviceFaults[name]!.subtle,
);
