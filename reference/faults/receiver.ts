import { acknowledgementFaults } from './acknowledgement.ts';
import { contentFaults } from './content.ts';
import { deduplicationFaults } from './deduplication.ts';
import type { ReceiverFaults } from './fault.ts';
import { forgeryFaults } from './forgery.ts';
import { rawBodyFaults } from './rawBody.ts';
import { redeliveryFaults } from './redelivery.ts';
import { refusalFaults } from './refusal.ts';
import { safetyFaults } from './safety.ts';
import { transportFaults } from './transport.ts';

/**
 * Every mistake that a receiver is known to make and that a sender can see, by a name that says what it does.
 *
 * @example
 * await startReceiver({ secrets, policies: receiverFaults['verifies-nothing']!.change(conformingPolicies) });
 */
export const receiverFaults: ReceiverFaults = {
  ...forgeryFaults,
  ...rawBodyFaults,
  ...refusalFaults,
  ...transportFaults,
  ...contentFaults,
  ...acknowledgementFaults,
  ...deduplicationFaults,
  ...redeliveryFaults,
  ...safetyFaults,
};

/** In the order of the registry. */
export const receiverFaultNames: readonly string[] = Object.keys(receiverFaults);
