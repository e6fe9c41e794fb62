import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import type { TestContext } from 'vitest';

import type { RunEvent } from '../../../reports/model/events.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { runFuzz } from '../../../runner/fuzz/runFuzz.ts';
import type { FuzzBudget } from '../../../runner/fuzz/fuzzPlan.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { Unproven } from '../../../suites/check.ts';
import type { ReceiverFuzzing } from '../../../suites/fuzz/fuzzing.ts';
import { toyModel } from './toyModel.ts';

/** Accepts everything, and ends of the body `die`: at once, or some milliseconds after it has answered. */
const mortal = `
import { createServer } from 'node:http';
createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text) => (body += text)).on('end', () => {
    const later = Number(process.env.DIES_AFTER);
    if (body === 'die' && later === 0) process.exit(3);
    if (body === 'die') setTimeout(() => process.exit(3), later);
    response.end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listening'));
`;

/** Deliveries of any kind, and now and then one that the receiver above dies of, where there are so many of these. */
const fatalModel = (enough: number): ReceiverFuzzing => ({
  ...toyModel,
  kinds: (draw, means) => [
    ...toyModel.kinds(draw, means).filter(({ kind }) => kind === 'new' || kind === 'rest'),
    { kind: 'poison', weight: 0.05, steps: fc.constant({ do: 'poison' }) },
  ],
  async run(kit, steps) {
    if (steps.filter((step) => step.do === 'poison').length >= enough) {
      const answer = await kit.deliver(kit.compose(kit.control, { rewrite: () => Buffer.from('die') }));
      if (answer.kind === 'broken') throw new Unproven('no answer came');
    }
    const others = steps.filter((step) => step.do !== 'poison');
    return { ...(await toyModel.run(kit, others)), judged: ['RCV-1'] };
  },
});

/** How it dies. */
interface Mortality {
  /** Milliseconds after its answer. Default: it does not answer. */
  readonly after?: number;
  /** Deadly steps that a sequence needs. Default 1. */
  readonly enough?: number;
}

/** A receiver of one test that dies of some deliveries. */
export interface Mortal {
  /** Searches it, while it is under process control. */
  whileHeld(budget: Partial<FuzzBudget>): Promise<readonly RunEvent[]>;
  /** Searches it, where nobody starts it again. */
  whileAlone(budget: Partial<FuzzBudget>): Promise<readonly RunEvent[]>;
}

export async function mortalReceiver(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  { after = 0, enough = 1 }: Mortality = {},
): Promise<Mortal> {
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-mortal-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'mortal.mjs');
  await writeFile(file, mortal);
  const port = String(await freePort('127.0.0.1', new Set()));
  const env = { PORT: port, DIES_AFTER: String(after) };
  const url = `http://127.0.0.1:${port}/hooks`;
  const search = async (budget: Partial<FuzzBudget>, options: ReceiverPlanOptions) => {
    const given = { url, options: {}, env: [] };
    const plan = await receiverPlan(url, {
      seed: 7,
      checks: [],
      directory: join(directory, 'runs'),
      given,
      ...options,
    });
    const fuzz = { subject: 'receiver', plan, budget: { untilFailure: false, ...budget }, feedback: true } as const;
    return Array.fromAsync(runFuzz({ ...fuzz, corpus: join(directory, 'corpus') }, { receiver: fatalModel(enough) }));
  };
  return {
    whileHeld: (budget) => search(budget, { start: `exec ${process.execPath} ${file}`, env }),
    async whileAlone(budget) {
      const child = spawn(process.execPath, [file], { env: { ...process.env, ...env } });
      await once(child.stdout, 'data');
      const events = await search(budget, {});
      // It died of the search.
      if (child.exitCode === null) await once(child, 'exit');
      return events;
    },
  };
}
