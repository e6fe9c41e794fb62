import type { AsyncCommand } from 'fast-check';

import { describe } from './describe.ts';
import { awaiting, pass, end } from './plays/await.ts';
import { create, update, remove, invalid } from './plays/webhook.ts';
import { emit, trigger, track } from './plays/emit.ts';
import { list, page } from './plays/list.ts';
import type { Known, Play } from './plays/play.ts';
import type { ServiceStep } from './steps.ts';
import type { ServiceModelState } from './serviceModelState.ts';

type Plays = { readonly [Kind in ServiceStep['do']]: Play<Extract<ServiceStep, { readonly do: Kind }>> };

const plays: Plays = {
  create,
  invalid,
  update,
  emit,
  trigger,
  await: awaiting,
  list,
  page,
  track,
  remove,
  pass,
  kill: end as Plays['kill'],
  stop: end as Plays['stop'],
  pause: end as Plays['pause'],
};

/** The names of all kinds of steps that can be played. */
export const knownSteps: readonly string[] = Object.keys(plays);

/** A step as a command of fast-check: what it needs to make sense, and what it does. */
export class StepCommand implements AsyncCommand<Known, ServiceModelState> {
  readonly #step: ServiceStep;
  readonly #onPlayed: (step: ServiceStep) => void;

  /** @param onPlayed - called for each step that made sense where it stood */
  constructor(step: ServiceStep, onPlayed: (step: ServiceStep) => void) {
    this.#step = step;
    this.#onPlayed = onPlayed;
  }

  check(known: Readonly<Known>): boolean {
    return this.#play?.can(known, this.#step) ?? false;
  }

  async run(known: Known, modelState: ServiceModelState): Promise<void> {
    this.#onPlayed(this.#step);
    await this.#play?.play(modelState, this.#step, known);
  }

  toString(): string {
    return describe(this.#step);
  }

  /** Nothing for a kind of step that this version of the kit does not know. */
  get #play(): Play<ServiceStep> | undefined {
    return plays[this.#step.do] as Play<ServiceStep> | undefined;
  }
}
