import type { AsyncCommand } from 'fast-check';

import { describeAnswer } from '../../answer.ts';
import { isTaken, trigger as operation, sampleOf } from '../../service/sampling.ts';
import { trackingBody } from '../../service/trackingBody.ts';
import { describe } from './describe.ts';
import { wrong } from './found.ts';
import { isAnswering, missing } from './missing.ts';
import { list, page } from './plays/list.ts';
import { create, invalid, remove, update } from './plays/webhook.ts';
import { type Known, outcomeOf, type Play, type ServiceModelState } from './serviceModelState.ts';
import type { AwaitStep, EmitStep, EndStep, PassStep, ServiceStep, TrackStep, TriggerStep } from './steps.ts';

/** Makes events happen at the same moment. */
const emit: Play<EmitStep> = {
  can: ({ taken }) => taken.size > 0,
  async play(modelState, { events }) {
    await Promise.all(events.map((event) => raise(modelState, event)));
  },
};

async function raise({ kit, raised }: ServiceModelState, event: string): Promise<void> {
  const from = kit.elapsed();
  const index = raised.push({ event, from, to: Infinity }) - 1;
  await kit.raise(event);
  raised[index] = { event, from, to: kit.elapsed() };
}

/** Asks for a sample. */
const trigger: Play<TriggerStep> = {
  can: ({ taken }, { at }) => at === null || taken.has(at),
  async play(modelState, { event, secret, at: slot }) {
    const { kit } = modelState;
    const owner = modelState.parts.has('sample:secret') ? modelState.at(slot) : undefined;
    const place = owner?.now.place ?? kit.endpoint();
    const at = kit.elapsed();
    const request = { url: place.url, event, ...(secret !== null && { secret }) };
    const call = await kit.call(operation, { body: sampleOf(kit, request) });
    modelState.judge('TRG-1', secret === null ? 'TRG-6' : 'TRG-2');
    // A service may hand on how the receiver answered: that a sample was refused there says nothing of the call.
    const isHandedOn = place.caught.some(
      (caught) =>
        caught.at >= at && modelState.read(caught).event === event && outcomeOf(caught, kit.contract) !== 'accepted',
    );
    if (isTaken(kit, call) || isHandedOn) return void modelState.sampled.push({ event, secret, place, at, call });
    return modelState.accuse(
      wrong('valid-refused', 'TRG-1', {
        expected: `one sample of ${event} comes to the given url`,
        actual: `the call was not taken: ${describeAnswer(call.answer)}`,
        exchanges: [call],
        absence: true,
      }),
    );
  },
};

/** Submits a number. What comes of it is the matter of many minutes; that a good one is taken is seen at once. */
const track: Play<TrackStep> = {
  can: () => true,
  async play(modelState, { known }) {
    const { kit } = modelState;
    const [number] = known ? kit.trackable : kit.untrackable;
    if (number === undefined) return;
    const call = await kit.call('track', { body: trackingBody(kit.terms, number) });
    if (!known) return;
    modelState.judge('SVC-1');
    if (kit.succeeded(call)) return;
    modelState.accuse(
      wrong('not-tracked', 'SVC-1', {
        expected: 'a request with a number that the service finds is accepted',
        actual: describeAnswer(call.answer),
        exchanges: [call],
        absence: true,
      }),
    );
  },
};

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
