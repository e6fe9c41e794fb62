import type { Arbitrary } from 'fast-check';

import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { FuzzMeans, FuzzStep } from '../fuzzing.ts';
import type { ReceiverModelState } from './receiverModelState.ts';

/** A kind of step of this model: how it is drawn, when it makes sense, what it does, and how people call it. */
export interface ReceiverStep<Step extends FuzzStep> {
  readonly kind: Step['do'];
  readonly weight: number;
  /** What such steps are made of; nothing where this run cannot make any. */
  steps(draw: Draw, means: FuzzMeans): Arbitrary<Step> | undefined;
  /** Whether it makes sense after what came before. */
  possible(step: Step, modelState: ReceiverModelState): boolean;
  /**
   * Does it, and notes in the model state what came of it.
   *
   * @throws Mistake where the receiver did what no right receiver does
   */
  play(step: Step, kit: ReceiverKit, modelState: ReceiverModelState): Promise<void>;
  describe(step: Step): string;
}

/** Keeps the type of a step while its kind is written, and forgets it in the registry. */
export function receiverStep<Step extends FuzzStep>(kind: ReceiverStep<Step>): ReceiverStep<FuzzStep> {
  return kind as unknown as ReceiverStep<FuzzStep>;
}
