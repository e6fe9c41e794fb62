import type { ServiceFaults } from './serviceFault.ts';
import { apiFaults } from './services/api.ts';
import { attemptFaults } from './services/attempts.ts';
import { budgetFaults } from './services/budget.ts';
import { creationFaults } from './services/creations.ts';
import { notificationFaults } from './services/notifications.ts';
import { outcomeFaults } from './services/outcomes.ts';
import { restartFaults } from './services/restarts.ts';
import { sampleFaults } from './services/samples.ts';
import { signingFaults } from './services/signing.ts';
import { subscriptionFaults } from './services/subscriptions.ts';
import { subtleServiceFaults } from './services/subtle.ts';
import { trackingFaults } from './services/tracking.ts';
import { webhookFaults } from './services/webhooks.ts';

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
  ...budgetFaults,
  ...notificationFaults,
  ...subscriptionFaults,
  ...webhookFaults,
  ...creationFaults,
  ...apiFaults,
  ...sampleFaults,
  ...trackingFaults,
  ...restartFaults,
  ...subtleServiceFaults,
};

/** In the order of the registry. */
export const serviceFaultNames: readonly string[] = Object.keys(serviceFaults);

/** Those that any run of the suite shows, without the process being ended and started again. */
export const plainServiceFaultNames: readonly string[] = serviceFaultNames.filter((name) => {
  const { life, subtle } = serviceFaults[name]!;
  return life === undefined && subtle === undefined;
});

/** Those that only a search has to find, in the order of the registry. */
export const subtleServiceFaultNames: readonly string[] = serviceFaultNames.filter(
  (name) => serviceFaults[name]!.subtle,
);
