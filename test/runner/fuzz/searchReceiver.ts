import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import type { FuzzFailed, RunEvent } from '../../../reports/model/events.ts';
import { runFuzz } from '../../../runner/fuzz/runFuzz.ts';
import type { FuzzBudget } from '../../../runner/fuzz/fuzzPlan.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import type { ReceiverFuzzing } from '../../../suites/fuzz/fuzzing.ts';
import { toyModel } from './toyModel.ts';
import type { ReceiverPlan } from '../../../runner/receiver/plan.ts';

const secret = 'a secret of the searches';

/** A receiver of one test, and the folder for what is kept of it. */
export interface Searched {
  readonly folder: string;
  plan(options?: ReceiverPlanOptions): Promise<ReceiverPlan>;
  /** All events of a search. */
  search(budget: Partial<FuzzBudget>, how?: SearchOptions): Promise<readonly RunEvent[]>;
}

interface SearchOptions {
  readonly feedback?: boolean;
  readonly model?: ReceiverFuzzing;
  readonly plan?: ReceiverPlanOptions;
  readonly requirements?: readonly string[];
}

/** Starts the reference receiver, with a fault or without, for one test. */
export async function searched(
  fault: string | undefined,
  test: Pick<TestContext, 'onTestFinished'>,
): Promise<Searched> {
  const policies = fault === undefined ? conformingPolicies : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: [secret], policies });
  const { url, probe } = receiver;
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-fuzz-'));
  test.onTestFinished(async () => {
    await receiver.close();
    await rm(folder, { recursive: true });
  });
  const given = { url, options: {}, env: [] };
  const planOf = (options: ReceiverPlanOptions = {}) =>
    receiverPlan(url, {
      secret: [secret],
      probe,
      seed: 7,
      settle: 100,
      checks: [],
      directory: folder,
      given,
      ...options,
    });
  return {
    folder,
    plan: planOf,
    async search(budget, { feedback = true, model = toyModel, plan, requirements } = {}) {
      const fuzz = {
        subject: 'receiver',
        plan: await planOf(plan),
        budget: { untilFailure: false, ...budget },
        feedback,
        corpus: join(folder, 'corpus'),
        ...(requirements && { requirements }),
      } as const;
      return Array.fromAsync(runFuzz(fuzz, { receiver: model }));
    },
  };
}

/** The failures that a search reported. */
export function failuresOf(events: readonly RunEvent[]): readonly FuzzFailed[] {
  return events.filter((event) => event.type === 'fuzz.failed');
}
