import { describe, expect, test } from 'vitest';

import { serviceFaults } from '../../../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../../../reference/service/conformingPolicies.ts';
import { startService } from '../../../../reference/service/service.ts';
import { serviceModel } from '../../../../suites/fuzz/service/index.ts';
import { isProof } from '../../../proof/testReceiver.ts';
import { pace } from '../../../proof/testService.ts';
import { playSequences } from './playSequences.ts';
import { create, emit, first, sequences, type Shown } from './sequences.ts';

const tries = 4;

/** In CI one sequence for each cause; the others are other ways to the same. */
const tried = sequences.filter(
  ({ cause }, at) => isProof || sequences.findIndex((each) => each.cause === cause) === at,
);

/** What a sequence shows of the reference service with a fault; without a name, of the one that keeps the contract. */
async function findingOf({ steps, requirement }: Shown, fault?: string) {
  const policies = fault === undefined ? conformingPolicies : serviceFaults[fault]!.change(conformingPolicies);
  const service = await startService({ ...pace, database: ':memory:', policies });
  try {
    const [result] = await playSequences(service, [steps]);
    const { finding, judged = [] } = result ?? {};
    return {
      cause: finding?.cause,
      requirements: finding?.requirements,
      isJudged: judged.includes(requirement),
      finding,
    };
  } finally {
    await service.close();
  }
}

/** What must not come is awaited for a moment only, which a busy machine may miss: a search tries often, too. */
async function untilFound(shown: Shown, fault: string) {
  for (let tried = 1; ; tried += 1) {
    const found = await findingOf(shown, fault);
    if (found.finding || tried === tries) return found;
  }
}

describe.concurrent('a sequence shows a mistake, and nothing where there is none', () => {
  test.each(tried.map((each) => [each.fault, each] as const))('%s', { timeout: 300_000 }, async (fault, shown) => {
    const { cause, requirement } = shown;
    const found = await untilFound(shown, fault);
    expect(found).toMatchObject({ cause, requirements: expect.arrayContaining([requirement]), isJudged: true });
    expect(serviceFaults[fault]!.breaks).toContain(found.requirements?.[0]);
    expect(serviceModel.requirements).toContain(requirement);
    expect(serviceModel.hint(found.finding!)).not.toBe('');
    expect(await findingOf(shown)).toMatchObject({ cause: undefined, isJudged: true });
  });
});

test('that a failure is not retried at all is reported before that too few retries are made', async () => {
  const policies = {
    ...conformingPolicies,
    retries: 2,
    isRetried: ({ kind }: { readonly kind: string }) => kind !== 'broken',
  };
  const service = await startService({ ...pace, database: ':memory:', policies });
  const reset = { do: 'reset', when: 'before' } as const;
  const steps = [create(first(5)), create({ slot: 'b', ...first(1, reset) }), emit];
  const [result] = await playSequences(service, [steps]).finally(() => service.close());
  expect(result?.finding).toMatchObject({ cause: 'not-retried', requirements: ['DLV-4'] });
});
