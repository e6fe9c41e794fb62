import type { AsyncCommand } from 'fast-check';

import { describe } from './describe.ts';
import { isAnswering, missing } from './missing.ts';
import { emit, track, trigger } from './plays/emit.ts';
import { list, page } from './plays/list.ts';
import { create, invalid, remove, update } from './plays/webhook.ts';
import type { Known, Play, ServiceModelState } from './serviceModelState.ts';
import type { AwaitStep, EndStep, PassStep, ServiceStep } from './steps.ts';

/** Milliseconds that an attempt is waited for at most. */
const waitTime = 1500;

/** Waits for an attempt, as long as something is still to come. */
const awaiting: Play<AwaitStep> = {
  can: ({ taken }, { slot }) => taken.has(slot),
  async play(modelState, { slot, attempt }) {
    const owner = modelState.there(slot);
    let version = -1;
    const isThere = (): true | undefined => {
      if (version === modelState.version) return undefined;
      version = modelState.version;
      const newest = modelState.deliveries.findLast((delivery) => delivery.owner === owner);
      if ((newest?.attempts.length ?? 0) >= attempt) return true;
      return (missing(modelState).length === 0 && !isAnswering(modelState)) || undefined;
    };
    await modelState.kit.soon(isThere, Math.min(waitTime, modelState.kit.window));
  },
};

/** Lets time pass. */
const pass: Play<PassStep> = {
  can: () => true,
  async play({ kit }, { ms }) {
    await kit.soon(() => undefined, ms);
  },
};

/** Ends the service or freezes it, and brings it back. */
const end: Play<EndStep> = {
  can: () => true,
  async play({ kit, away }, { do: how, ms }) {
    const from = kit.elapsed();
    if (how === 'kill') await kit.processControl.kill();
    else if (how === 'stop') await kit.processControl.stop();
    else await kit.processControl.pause();
    await kit.soon(() => undefined, ms);
    if (how === 'pause') await kit.processControl.resume();
    else await kit.processControl.start();
    away.push({ from, to: kit.elapsed(), paused: how === 'pause' });
  },
};

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
