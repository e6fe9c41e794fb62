import fc from 'fast-check';

import type { FuzzStep, SequenceResult } from '../../suites/fuzz/fuzzing.ts';
import type { GeneratedCase } from '../engine/cases.ts';

/** A sequence as a case of a check, and what it showed. */
export interface SequenceCase<Found> {
  readonly steps: readonly FuzzStep[];
  result: SequenceResult<Found> | undefined;
}

/** The case that a trier is given for a sequence. */
export function sequenceCase<Found>(steps: readonly FuzzStep[], index: number) {
  const sequence: SequenceCase<Found> = { steps, result: undefined };
  const value = new fc.Value<unknown>(sequence, undefined);
  const generated: GeneratedCase = { arbitrary: fc.constant<unknown>(null), value, path: String(index), index };
  return { sequence, generated };
}
