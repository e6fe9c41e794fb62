import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import type { ServicePolicies } from '../../../reference/service/policies.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { runReceiver } from '../../receiver/runReceiver.ts';
import { openOutputs } from '../../output/outputs.ts';
import { receiverPlan } from '../../receiver/receiverPlan.ts';
import { reportRun } from '../../output/reporting.ts';
import { runService } from '../../service/runService.ts';
import { servicePlan } from '../../service/servicePlan.ts';
import { trackedKind } from '../../options/optionKinds.ts';
import type { ProgramEnvironment } from '../programEnvironment.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { freePort } from '../../catcher/freePort.ts';
import { shellWord } from '../../../reports/curl/shell.ts';

const host = '127.0.0.1';

/**
 * Runs checks against the reference receiver as a process that the kit starts and kills, reported on standard output.
 *
 * @param only - patterns of check ids and of requirement ids
 * @param fault - the name of one; left out: the receiver keeps the contract
 */
export async function runReferenceProcess(
  programEnvironment: ProgramEnvironment,
  only: readonly string[],
  fault?: string,
): Promise<RunSummary> {
  const secret = randomBytes(24).toString('base64url');
  const port = await freePort(host, new Set());
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-receiver-'));
  const own = ['--port', String(port), '--secret', secret, '--database', join(folder, 'receiver.db')];
  const command = [process.execPath, programFile(), ...own, ...(fault === undefined ? [] : ['--fault', fault])];
  const origin = `http://${host}:${port}`;
  try {
    const plan = await receiverPlan(`${origin}/hooks`, {
      secret: [secret],
      probe: `${origin}/effects/{id}`,
      start: command.map(shellWord).join(' '),
      only,
      intensity: 'quick',
      signal: programEnvironment.signal,
    });
    return await reported(programEnvironment, plan.runId, runReceiver(plan));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The receiver's program: TypeScript where this is, JavaScript in the package. */
function programFile(): string {
  return fileURLToPath(new URL(`../../../reference/receiver/main${extname(import.meta.url)}`, import.meta.url));
}

/** Runs the receiver suite against the reference receiver with these policies, reported on standard output. */
export async function runReferenceReceiver(
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
export async function runReferenceService(
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
async function reported(
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
