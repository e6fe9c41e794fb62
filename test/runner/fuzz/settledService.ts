import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestContext } from 'vitest';

import { serviceFaults } from '../../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../../reference/service/conformingPolicies.ts';
import { startService } from '../../../reference/service/service.ts';
import type { FuzzFailed } from '../../../reports/model/events.ts';
import { Failures } from '../../../runner/fuzz/failures.ts';
import { type DrawnStep, drawStep, type Kinds, stepsOf } from '../../../runner/fuzz/gene.ts';
import { ServiceFuzzTarget } from '../../../runner/fuzz/targetKinds.ts';
import { settleFailure } from '../../../runner/fuzz/settleFailure.ts';
import { servicePlan } from '../../../runner/service/servicePlan.ts';
import { inServiceSession } from '../../../runner/service/runService.ts';
import { serviceModel } from '../../../suites/fuzz/service/index.ts';
import type { ServiceStep } from '../../../suites/fuzz/service/steps.ts';
import { drawOf } from '../../suites/fuzz/service/drawnSequences.ts';

type Reported = Omit<FuzzFailed, 'ms' | 'type'> | undefined;

/** Milliseconds. Where the kit is late for half of it, what it saw shows nothing, and all is played again. */
const timeout = 2000;
const tries = 5;
const means = { processControl: false, alone: false } as const;
const kinds: Kinds = new Map(serviceModel.kinds(drawOf(0), means).map((kind) => [kind.kind, kind]));

/**
 * What a search reports of a sequence that the reference service fails on with this fault.
 *
 * @param steps - the sequence
 * @param ms - milliseconds that there are to shrink it
 */
export async function settledService(
  fault: string,
  steps: readonly DrawnStep[],
  ms: number,
  test: Pick<TestContext, 'onTestFinished'>,
): Promise<Reported> {
  const policies = serviceFaults[fault]!.change(conformingPolicies);
  const service = await startService({ backoff: [10, 15, 20], timeout, policies });
  const { url, token, emit } = service;
  const directory = await mkdtemp(join(tmpdir(), 'seaworthy-settled-'));
  test.onTestFinished(async () => {
    await service.close();
    await rm(directory, { recursive: true });
  });
  const assume = { 'delivery.timeout': `${timeout}ms` };
  const plan = await servicePlan(url, { token, emit, seed: 1, checks: [], secondOpinion: false, directory, assume });
  let reported: Reported;
  const errors: string[] = [];
  const started = performance.now();
  await inServiceSession(plan, {
    elapsed: () => performance.now() - started,
    emit: (event) => event.type === 'kit.errored' && errors.push(event.message),
    work: async (side) => {
      const target = new ServiceFuzzTarget(side, serviceModel);
      reported = await settled(target, { steps }, ms);
    },
  });
  if (errors.length > 0) throw new Error(errors.join('; '));
  return reported;
}

async function settled(
  target: ServiceFuzzTarget,
  program: { readonly steps: readonly DrawnStep[] },
  ms: number,
): Promise<Reported> {
  let [played] = await target.play([stepsOf(program)], true);
  // A busy machine may leave undecided how it ends.
  for (let tried = 1; played?.trial.kind === 'unproven' && tried < tries; tried += 1)
    [played] = await target.play([stepsOf(program)], true);
  if (played?.trial.kind !== 'broken')
    throw new Error(
      `the sequence does not fail: ${JSON.stringify([played?.trial, program.steps.map(({ step }) => step)])}`,
    );
  const { finding } = played.trial;
  const [requirement = ''] = finding.requirements;
  const raw = { program, finding, requirement, alone: false, recurred: true, unanswered: false, index: 0, at: 0 };
  const until = target.elapsed() + ms;
  return settleFailure(target, new Failures(), raw, { until, requirementOf: () => requirement, batch: [] });
}

/** The first step of this kind that is drawn like that. */
export function drawnLike<Kind extends ServiceStep['do']>(
  kind: Kind,
  isWanted: (step: Extract<ServiceStep, { readonly do: Kind }>) => boolean,
): DrawnStep {
  for (let seed = 0; seed < 100_000; seed += 1) {
    const found = drawStep(kinds, { kind, seed, path: '' })!;
    if (isWanted(found.step as never)) return found;
  }
  throw new Error(`no ${kind} like that is drawn`);
}
