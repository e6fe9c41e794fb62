import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serviceFaults, subtleServiceFaultNames } from '../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import { startService } from '../../reference/service/service.ts';
import { type Scenery, subtleServiceDemonstrations } from './demonstrations/subtleService.ts';
import { ServiceClient } from './serviceClient.ts';
import { deliveryProblem, ServiceEndpoints } from './serviceEndpoints.ts';
import { shown } from './shown.ts';

let endpoints: ServiceEndpoints;

beforeAll(async () => {
  endpoints = await new ServiceEndpoints().start();
});

afterAll(() => endpoints.close());

/** Runs an action against a service with this fault, or without one. @param timeout - milliseconds of a delivery */
async function against<T>(
  fault: string | undefined,
  action: (scenery: Scenery) => Promise<T>,
  timeout = 300,
): Promise<T> {
  const policies = fault === undefined ? conformingPolicies : serviceFaults[fault]!.change(conformingPolicies);
  const service = await startService({ policies, backoff: [40, 40], timeout });
  try {
    return await action({ client: new ServiceClient(service), endpoints });
  } finally {
    await service.close();
  }
}

async function plainWebhook({ client }: Scenery): Promise<void> {
  const endpoint = endpoints.add(500, 200);
  const { attributes } = await client.webhook(endpoint.url);
  await client.emit('container.updated');
  const [listed] = await client.settled(1);
  const problems = endpoint.attempts.map((attempt) => deliveryProblem(attempt, attributes.secret));
  expect(problems).toEqual([undefined, undefined]);
  expect(listed!.attributes.delivery_status).toBe('succeeded');
}

test('every subtle fault of a service has a demonstration, and every demonstration a fault', () => {
  expect(Object.keys(subtleServiceDemonstrations)).toEqual(subtleServiceFaultNames);
});

describe.concurrent.each(Object.entries(subtleServiceDemonstrations))('%s', (name, { show }) => {
  // Nothing here hangs: a short time-out would only show that the machine is busy.
  test('still delivers to a plain webhook, and again after a refusal', () => against(name, plainWebhook, 30_000));

  test('shows its fault, which the conforming service does not', async () => {
    expect(await shown(() => against(name, show))).toBe(true);
    expect(await against(undefined, show)).toBe(false);
  });
});
