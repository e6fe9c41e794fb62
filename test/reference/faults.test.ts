import { describe, expect, test } from 'vitest';

import { plainFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../reference/receiver/policies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { provenBy } from '../proof/provenBy.ts';
import { intensity } from '../proof/testReceiver.ts';
import {
  acknowledgementDemonstrations,
  contentDemonstrations,
  transportDemonstrations,
} from './demonstrations/content.ts';
import {
  afterwardsDemonstrations,
  contentionDemonstrations,
  deduplicationDemonstrations,
} from './demonstrations/deduplication.ts';
import { edgeDemonstrations, relatedDemonstrations } from './demonstrations/edges.ts';
import type { Demonstrations } from './demonstrations/demonstration.ts';
import { exemptionDemonstrations } from './demonstrations/exemption.ts';
import { redeliveryDemonstrations, safetyDemonstrations } from './demonstrations/failure.ts';
import {
  comparisonDemonstrations,
  digestDemonstrations,
  forgeryDemonstrations,
  rawBodyDemonstrations,
  refusalDemonstrations,
  signatureParsingDemonstrations,
} from './demonstrations/signature.ts';
import { notification, Target } from './target.ts';
import { shown } from './shown.ts';

const demonstrations: Demonstrations = {
  ...forgeryDemonstrations,
  ...exemptionDemonstrations,
  ...rawBodyDemonstrations,
  ...digestDemonstrations,
  ...refusalDemonstrations,
  ...signatureParsingDemonstrations,
  ...transportDemonstrations,
  ...contentDemonstrations,
  ...relatedDemonstrations,
  ...edgeDemonstrations,
  ...acknowledgementDemonstrations,
  ...deduplicationDemonstrations,
  ...contentionDemonstrations,
  ...redeliveryDemonstrations,
  ...safetyDemonstrations,
  ...comparisonDemonstrations,
  ...afterwardsDemonstrations,
};

/** Runs an action against a receiver with these policies. */
async function against<T>(
  secrets: readonly string[],
  policies: Partial<ReceiverPolicies>,
  action: (target: Target) => Promise<T>,
): Promise<T> {
  const receiver = await startReceiver({ secrets, policies });
  try {
    return await action(new Target(receiver, secrets));
  } finally {
    await receiver.close();
  }
}

test('every fault that any run shows has a demonstration, and every demonstration a fault', () => {
  expect(Object.keys(demonstrations).toSorted()).toEqual(plainFaultNames.toSorted());
});

/** All at `standard`. In CI the first of those that no check is proven by: the others are variations of what is proven. */
function faultsToShow(): readonly string[] {
  if (intensity === 'standard') return plainFaultNames;
  const proofs = new Set(Object.values(provenBy));
  return plainFaultNames.filter((name) => !proofs.has(name)).slice(0, 1);
}

describe.each(faultsToShow())('%s', (name) => {
  const { change, secrets = ['whsec-only'] } = receiverFaults[name]!;

  test('still accepts a plain delivery, which takes effect once', () =>
    against(secrets, change(conformingPolicies), async (target) => {
      const id = '6a1f0c5e-3c1b-4d58-9a53-0f5d7a1e2b4c';
      const answer = await target.send({ body: notification(id), timeout: 400 });
      expect(answer.status).toBe(202);
      await target.effective(id);
      expect(await target.effects(id)).toBe(1);
    }));

  test('shows its fault, which the conforming receiver does not', async () => {
    const demonstrate = demonstrations[name]!;
    expect(await shown(() => against(secrets, change(conformingPolicies), demonstrate))).toBe(true);
    expect(await against(secrets, {}, demonstrate)).toBe(false);
  });
});
