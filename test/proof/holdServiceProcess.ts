import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSummary } from '../../reports/model/summary.ts';
import { freePort } from '../../runner/catcher/freePort.ts';
import { runService } from '../../runner/service/runService.ts';
import { type ServicePlanOptions, servicePlan } from '../../runner/service/servicePlan.ts';
import { asFound, intensity } from './holdAgainst.ts';
import type { LivingService } from './livingServices/index.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

const token = 'key-of-the-proofs';

/** Tests a service against the contract, as a process that the kit starts and kills. */
export async function holdServiceProcess(service: LivingService, options: ServicePlanOptions): Promise<RunSummary> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-process-'));
  const port = await freePort('127.0.0.1', new Set());
  const origin = `http://127.0.0.1:${port}`;
  try {
    const plan = await servicePlan(`${origin}/v2`, {
      start: service({ port, database: join(folder, 'service.db'), key: token }),
      token,
      emit: `${origin}/emit`,
      intensity,
      secondOpinion: false,
      settle: 400,
      retryWindow: 10_000,
      directory: join(folder, 'runs'),
      assume: { 'delivery.timeout': '250ms' },
      ...asFound,
      ...options,
    });
    const summary = createSummary();
    for await (const event of runService(plan)) summary.add(event);
    return summary.summary();
  } finally {
    await rm(folder, { recursive: true });
  }
}
