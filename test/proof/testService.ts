import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSummary } from '../../reports/model/summary.ts';
import { runService } from '../../runner/service/runService.ts';
import { type ServicePlanOptions, servicePlan } from '../../runner/service/servicePlan.ts';
import type { TrackedNumber } from '../../suites/service/trackingBody.ts';
import { intensity } from './testReceiver.ts';
import type { ServiceUnderTest } from './services/start.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** How the services of the proofs deliver, in milliseconds: quickly, but not so that a busy machine looks like a fault. */
export const pace = { backoff: [15, 20, 25, 30], timeout: 1500 } as const;

/** Tests a service against the contract with every check, with all that can be given to the kit, and closes it. */
export async function testService(service: ServiceUnderTest, options: ServicePlanOptions = {}): Promise<RunSummary> {
  const { url, token, emit, trackable, untrackable } = service;
  try {
    const plan = await servicePlan(url, {
      token,
      emit,
      trackable: [numberIn(trackable)],
      untrackable: [numberIn(untrackable)],
      intensity,
      directory: join(tmpdir(), 'seaworthy-proof'),
      // It takes a quarter of a run, and no requirement is broken by it: where services conform it is asked.
      secondOpinion: false,
      ...options,
      assume: { 'delivery.timeout': `${pace.timeout}ms`, ...options.assume },
    });
    const summary = createSummary();
    for await (const event of runService(plan)) summary.add(event);
    return summary.summary();
  } finally {
    await service.close();
  }
}

/** @param text - `SCAC:NUMBER` */
function numberIn(text: string): TrackedNumber {
  const [issuer = '', number = ''] = text.split(':');
  return { issuer, number };
}
