import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '../../catcher/freePort.ts';
import { runReceiver } from '../../receiver/runReceiver.ts';
import { receiverPlan } from '../../receiver/receiverPlan.ts';
import { shellWord } from '../../options/shellWord.ts';
import { reported } from './heldReference.ts';
import type { ProgramEnvironment } from '../programEnvironment.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

const host = '127.0.0.1';

/**
 * Runs checks against the reference receiver as a process that the kit starts and kills, reported on standard output.
 *
 * @param only - patterns of check ids and of requirement ids
 * @param fault - the name of one; left out: the receiver keeps the contract
 */
export async function heldProcess(
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
