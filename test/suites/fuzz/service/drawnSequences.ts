import fc from 'fast-check';

import { loadContract } from '../../../../spec/contract.ts';
import { serviceModel } from '../../../../suites/fuzz/service/index.ts';
import type { FuzzMeans, FuzzStep } from '../../../../suites/fuzz/fuzzing.ts';
import type { ServiceDraw } from '../../../../suites/draw.ts';

const contract = loadContract();
const plain = contract.events.map(({ name }) => name).filter((name) => !name.startsWith('tracking_request'));

/** What sequences are drawn from that run beside others: three events of their own. @param lane - from 0 */
export function drawOf(lane: number): ServiceDraw {
  const events = plain.slice(lane * 3, lane * 3 + 3);
  const numbers = { trackable: [], untrackable: [] };
  return { contract, terms: contract.service!, events, ...numbers, concurrency: 8, intensity: 'quick' };
}

/** Steps of every kind, as often as the model wants them. */
export function stepOf(
  draw: ServiceDraw,
  means: FuzzMeans = { processControl: false, alone: false },
): fc.Arbitrary<FuzzStep> {
  return fc.oneof(
    ...serviceModel.kinds(draw, means).map(({ steps, weight }) => ({ arbitrary: steps, weight: 2 * weight })),
  );
}

/** So many sequences that may run side by side. */
export function drawnSequences(count: number, seed: number): readonly (readonly FuzzStep[])[] {
  return Array.from({ length: count }, (_, lane) => {
    const steps = fc.array(stepOf(drawOf(lane)), { minLength: 4, maxLength: 12, size: 'max' });
    return fc.sample(steps, { seed: seed + lane, numRuns: 1 })[0]!;
  });
}
