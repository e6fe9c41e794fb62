import { describe, expect, test } from 'vitest';

import { serviceFaults } from '../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import { startService } from '../../reference/service/service.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { holdServiceAgainst, pace } from './holdServiceAgainst.ts';

/** What a check finds beside the fault that it is proven by, in a case or a judgement of its own. */
const variations = [
  ['service/delivery/same-event-again', 'drops-a-repeat-that-comes-soon', 'DLV-6'],
  ['service/delivery/same-event-again', 'derives-the-id-from-the-webhook-and-the-event', 'NTF-2'],
  ['service/retries/same-notification', 'tells-a-status-of-its-queue-on-a-retry', 'NTF-6'],
  ['service/retries/same-notification', 'names-another-event-on-a-retry', 'NTF-5'],
  ['service/connections/broken', 'gives-up-on-an-empty-reply', 'DLV-4'],
  ['service/load/refused-holds-up-nobody', 'skips-webhooks-with-a-backlog', 'DLV-6'],
  ['service/activation/inactive', 'tells-what-it-missed-once-active-again', 'WHK-6'],
] as const;

const checksOf = (id: string) => serviceChecks.filter((check) => check.id === id);

async function hold(id: string, policies = conformingPolicies) {
  const service = await startService({ ...pace, policies });
  return holdServiceAgainst(service, {
    checks: checksOf(id),
    secondOpinion: false,
    seed: 42,
    settle: 400,
    retryWindow: 4000,
  });
}

describe('a variation of a fault is found by the check that is about it', () => {
  test.each(variations)('%s: %s', { timeout: 120_000 }, async (id, fault, requirement) => {
    const { checks, requirements } = await hold(id, serviceFaults[fault]!.change(conformingPolicies));
    expect(checks.map((check) => [check.id, check.outcome])).toContainEqual([id, 'failed']);
    const broken = requirements.filter(({ outcome }) => outcome === 'broken').map((each) => each.id);
    expect(broken).toEqual([requirement]);
    expect(serviceFaults[fault]!.breaks[0]).toBe(requirement);
  });
});

describe('what keeps the contract passes the same check', () => {
  test.each([...new Set(variations.map(([id]) => id))])('%s', { timeout: 60_000 }, async (id) => {
    const { checks } = await hold(id);
    expect(checks.find((check) => check.id === id)).toMatchObject({ outcome: 'passed' });
  });
});
