import type { Arbitrary, AsyncCommand } from 'fast-check';

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

/** The model, in the form in which fast-check hands it on. */
interface Model {
  readonly modelState: ReceiverModelState;
}

/** A step as a command of fast-check: the model is the model state, the real thing is the kit. */
export class PlayStep implements AsyncCommand<Model, ReceiverKit> {
  readonly #kind: ReceiverStep<FuzzStep>;
  readonly #step: FuzzStep;

  constructor(kind: ReceiverStep<FuzzStep>, step: FuzzStep) {
    this.#kind = kind;
    this.#step = step;
  }

  check({ modelState }: Model): boolean {
    return this.#kind.possible(this.#step, modelState);
  }

  async run({ modelState }: Model, kit: ReceiverKit): Promise<void> {
    const from = kit.attempts.length;
    try {
      await this.#kind.play(this.#step, kit, modelState);
    } finally {
      modelState.played.push({ step: this.#step, attempts: kit.attempts.slice(from) });
    }
  }

  toString(): string {
    return this.#kind.describe(this.#step);
  }
}
