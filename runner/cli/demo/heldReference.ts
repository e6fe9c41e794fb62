import { randomBytes } from 'node:crypto';

import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import type { ServicePolicies } from '../../../reference/service/policies.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { runReceiver } from '../../receiver/runReceiver.ts';
import { openOutputs } from '../../output/outputs.ts';
import { receiverPlan } from '../../receiver/receiverPlan.ts';
import { reportRun } from '../../output/reporting.ts';
import { runService } from '../../service/runService.ts';
import { servicePlan } from '../../service/servicePlan.ts';
import { trackedKind } from '../../options/serviceOptionKinds.ts';
import type { ProgramEnvironment } from '../programEnvironment.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** Runs the receiver suite against the reference receiver with these policies, reported on standard output. */
export async function heldReceiver(
  programEnvironment: ProgramEnvironment,
  policies: Partial<ReceiverPolicies>,
): Promise<RunSummary> {
  const { startReceiver } = await import('../../../reference/receiver/receiver.ts');
  const secret = randomBytes(24).toString('base64url');
  const receiver = await startReceiver({ secrets: [secret], policies });
  try {
    const plan = await receiverPlan(receiver.url, {
      secret: [secret],
      probe: receiver.probe,
      signal: programEnvironment.signal,
    });
    return await reported(programEnvironment, plan.runId, runReceiver(plan));
  } finally {
    await receiver.close();
  }
}

/** Milliseconds between the attempts of a service that nobody should have to wait for. */
const backoff = [20, 30, 40];

/** How long, in milliseconds, it waits for an answer. */
const timeout = 1000;

/** Runs the service suite against the reference service with these policies, reported on standard output. */
export async function heldService(
  programEnvironment: ProgramEnvironment,
  policies: Partial<ServicePolicies>,
): Promise<RunSummary> {
  const { startService } = await import('../../../reference/service/service.ts');
  const service = await startService({ policies, backoff, timeout });
  const { url, token, emit, trackable, untrackable } = service;
  try {
    const plan = await servicePlan(url, {
      token,
      emit,
      trackable: trackedKind.read([trackable]),
      untrackable: trackedKind.read([untrackable]),
      intensity: 'quick',
      signal: programEnvironment.signal,
    });
    return await reported(programEnvironment, plan.runId, runService(plan));
  } finally {
    await service.close();
  }
}

/** Reports a run on standard output as its user would see it. @returns what it adds up to */
export async function reported(
  programEnvironment: ProgramEnvironment,
  runId: string,
  events: AsyncIterable<RunEvent>,
): Promise<RunSummary> {
  const outputs = openOutputs([{ format: 'terminal' }], { ...programEnvironment, runId });
  try {
    return await reportRun(events, outputs.reporters);
  } finally {
    outputs.close();
  }
}
