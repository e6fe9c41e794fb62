import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSummary } from '../../reports/model/summary.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { playLazily } from '../../runner/cli/lazyReference.ts';
import { runReceiver } from '../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import { secret } from './testReceiver.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { program } from '../programs.ts';

const host = '127.0.0.1';
const reference = program('receiver');

/** Where a receiver is to listen, where it finds the service, and where it may keep what must outlive it. */
export interface Surroundings {
  readonly port: number;
  /** The base address of the API. */
  readonly api: string;
  readonly folder: string;
}

/** The command that starts the reference receiver as a process, beside the service that the kit plays. */
export function referenceCommand({ port, api, folder }: Surroundings, words: readonly string[]): string {
  const own = ['--port', String(port), '--secret', secret, '--database', join(folder, 'receiver.db'), '--api', api];
  return [process.execPath, reference, ...own, ...words].map(shellWord).join(' ');
}

/** Tests a receiver that looks at the service against the contract: the kit starts it, and plays the service for it. */
export async function testLinked(
  command: (surroundings: Surroundings) => string,
  { recover, ...options }: ReceiverPlanOptions,
): Promise<RunSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-linked-'));
  const port = await freePort(host, new Set());
  const apiPort = await freePort(host, new Set([port]));
  const origin = `http://${host}:${port}`;
  try {
    const plan = await receiverPlan(`${origin}/hooks`, {
      secret: [secret],
      probe: `${origin}/effects/{id}`,
      start: command({ port, api: `http://${host}:${apiPort}/v2`, folder }),
      apiListen: { host, port: apiPort },
      play: playLazily,
      intensity: 'quick',
      shrinkTime: 0,
      directory: folder,
      ...(recover !== undefined && {
        recover: typeof recover === 'string' && recover.startsWith('/') ? origin + recover : recover,
      }),
      ...options,
    });
    const summary = createSummary();
    for await (const event of runReceiver(plan)) summary.add(event);
    return summary.summary();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
