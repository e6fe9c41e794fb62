import type fc from 'fast-check';

import type { FuzzStep } from '../fuzzing.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { ReceiverModelState } from './receiverModelState.ts';
import type { ReceiverStep } from './stepKind.ts';

/** The model, in the form in which fast-check hands it on. */
interface Model {
  readonly modelState: ReceiverModelState;
}

/** A step as a command of fast-check: the model is the model state, the real thing is the kit. */
export class PlayStep implements fc.AsyncCommand<Model, ReceiverKit> {
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
