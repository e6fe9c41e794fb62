import { acknowledgementFaults, durabilityFaults, backlogFaults } from './durability.ts';
import { afterwardsFaults } from './afterwards.ts';
import { comparisonFaults, digestFaults } from './comparison.ts';
import { connectionFaults } from './connections.ts';
import { contentFaults, relatedFaults } from './content.ts';
import { contentionFaults } from './contention.ts';
import { deduplicationFaults } from './deduplication.ts';
import { exemptionFaults } from './exemption.ts';
import { edgeFaults } from './edges.ts';
import type { ReceiverFaults } from './fault.ts';
import { forgeryFaults } from './forgery.ts';
import { interruptionFaults } from './interruption.ts';
import { rawBodyFaults } from './rawBody.ts';
import { recoveryFaults } from './recovery.ts';
import { redeliveryFaults } from './redelivery.ts';
import { refusalFaults } from './refusal.ts';
import { restartFaults } from './restart.ts';
import { safetyFaults } from './safety.ts';
import { encodingFaults, transportFaults } from './transport.ts';
import { signatureParsingFaults, secretFaults } from './signature.ts';
import { sourceFaults } from './sources.ts';
import { subtleFaults } from './subtle/index.ts';
import { signatureTimestampFaults } from './signatureTimestamps.ts';

/**
 * Every mistake that a receiver is known to make and that a sender can see, by a name that says what it does.
 *
 * @example
 * await startReceiver({ secrets, policies: receiverFaults['verifies-nothing']!.change(conformingPolicies) });
 */
export const receiverFaults: ReceiverFaults = {
  ...forgeryFaults,
  ...exemptionFaults,
  ...rawBodyFaults,
  ...digestFaults,
  ...refusalFaults,
  ...signatureParsingFaults,
  ...secretFaults,
  ...signatureTimestampFaults,
  ...transportFaults,
  ...contentFaults,
  ...relatedFaults,
  ...edgeFaults,
  ...acknowledgementFaults,
  ...deduplicationFaults,
  ...redeliveryFaults,
  ...safetyFaults,
  ...connectionFaults,
  ...contentionFaults,
  ...encodingFaults,
  ...durabilityFaults,
  ...interruptionFaults,
  ...restartFaults,
  ...backlogFaults,
  ...sourceFaults,
  ...recoveryFaults,
  ...subtleFaults,
  ...comparisonFaults,
  ...afterwardsFaults,
};

/** In the order of the registry. */
export const receiverFaultNames: readonly string[] = Object.keys(receiverFaults);

/** Those that any run of the suite against any receiver shows, in the order of the registry. */
export const plainFaultNames: readonly string[] = receiverFaultNames.filter((name) => {
  const { processControl, setting, subtle } = receiverFaults[name]!;
  return processControl === undefined && setting === undefined && subtle === undefined;
});

/** Those that only a search has to find, in the order of the registry. */
export const subtleFaultNames: readonly string[] = receiverFaultNames.filter((name) => receiverFaults[name]!.subtle);
