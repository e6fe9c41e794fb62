import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../runner/catcher/freePort.ts';
import type { ReceiverPlanOptions } from '../../runner/receiver/receiverPlan.ts';
import { testReceiver, secret } from './testReceiver.ts';
import type { LivingReceiver } from './livingReceivers/index.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** Starts a receiver through the kit, in a fresh folder and at a free port, and tests it against the contract. */
export async function testLiving(receiver: LivingReceiver, options: ReceiverPlanOptions = {}): Promise<RunSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-living-'));
  const port = await freePort('127.0.0.1', new Set());
  const place = { port, database: join(folder, 'receiver.db'), secret };
  const origin = `http://127.0.0.1:${port}`;
  const close = () => rm(folder, { recursive: true });
  const target = { url: `${origin}${receiver.path}`, probe: `${origin}${receiver.probe}`, close };
  const env = receiver.env?.(place) ?? {};
  return testReceiver(target, { start: receiver.command(place), env, ...options });
}
