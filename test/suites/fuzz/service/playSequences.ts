import type { SequenceResult, FuzzStep } from '../../../../suites/fuzz/fuzzing.ts';
import type { ServiceFinding } from '../../../../suites/check.ts';
import { serviceModel } from '../../../../suites/fuzz/service/index.ts';
import type { ServicePlanOptions } from '../../../../runner/service/servicePlan.ts';
import { pace } from '../../../proof/testService.ts';
import { check, hold } from '../../../runner/service/testOwnService.ts';

export type Result = SequenceResult<ServiceFinding>;

/** The results, in the order of the sequences; nothing where one showed nothing. */
export async function playSequences(
  target: { readonly url: string; readonly token: string; readonly emit: string },
  sequences: readonly (readonly FuzzStep[])[],
  options: ServicePlanOptions = {},
): Promise<readonly (Result | undefined)[]> {
  const results = new Map<readonly FuzzStep[], Result>();
  const playing = check<readonly FuzzStep[]>(
    'sequence',
    async (kit, steps) => {
      results.set(steps, await serviceModel.run(kit, steps));
      return undefined;
    },
    { values: sequences },
  );
  const { summary } = await hold(target, [playing], {
    retryWindow: 10_000,
    assume: { 'delivery.timeout': `${pace.timeout}ms` },
    ...options,
  });
  if (summary.errors.length > 0) throw new Error(JSON.stringify(summary.errors));
  return sequences.map((steps) => results.get(steps));
}
