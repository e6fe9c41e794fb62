import { callbackify, promisify } from 'node:util';

import { SeaworthyError } from '../errors.ts';
import { createDeliverer, type Deliverer } from '../http/deliverer.ts';
import { Load, type Metrics } from './load.ts';

/** A virtual user as Artillery passes it through the steps of its scenario. */
export interface EngineUser {
  readonly vars: Record<string, unknown>;
}

/** Called once a step or a scenario is over. */
export type Done = (error: Error | null, user: EngineUser) => void;

/** One step of a scenario, or all of it. */
export type EngineStep = (user: EngineUser, done: Done) => void;

/** What Artillery gives an engine to build steps with. */
export interface EngineUtil {
  createLoopWithCount(count: number | string, steps: readonly EngineStep[], options: object): EngineStep;
  createThink(step: object, defaults: object): EngineStep;
}

/** A script, as far as the engine reads it. */
export interface EngineScript {
  readonly config: { readonly target: string; readonly engines?: { readonly seaworthy?: unknown } };
  readonly _scriptPath?: string;
}

/** One step as a script has it. */
type StepSpec = Readonly<Record<string, unknown>>;

/** Connections of one worker at most: each virtual user has one delivery under way. */
const concurrency = 1024;

/**
 * An engine of Artillery that sends with the kit's own deliverer. The package `artillery-engine-seaworthy` is what Artillery
 * finds it by. Its steps are `deliver: <path>`, `countEffects: true`, `loop` and `think`.
 */
export class ArtilleryEngine {
  readonly #script: EngineScript;
  readonly #util: EngineUtil;
  #load: Load | undefined;
  #deliverer: Deliverer | undefined;

  /** @param _events - of the whole run: the engine emits metrics through those of each scenario */
  constructor(script: EngineScript, _events: unknown, util: EngineUtil) {
    this.#script = script;
    this.#util = util;
  }

  /**
   * Reads the options. Artillery calls it only where it is an `async function`.
   *
   * @throws UsageError where `config.engines.seaworthy` cannot be, or the target is remote without leave
   */
  async init(): Promise<void> {
    const { config, _scriptPath: script } = this.#script;
    const { target, engines } = config;
    this.#load = await Load.open({ options: engines?.seaworthy, place: 'config.engines.seaworthy', target, script });
    const { target: url, timeout, access } = this.#load.plan;
    this.#deliverer = createDeliverer({ ...access, url, timeout, concurrency, headers: [] });
  }

  /** What one virtual user does. It is `started` once, and done once. */
  createScenario({ flow = [] }: { readonly flow?: readonly StepSpec[] }, metrics: Metrics): EngineStep {
    const steps = flow.map((spec) => promisify(this.#step(spec, metrics)));
    const scenario = stepOf(async (user) => {
      for (const step of steps) await step(user);
    });
    return (user, done) => {
      metrics.emit('started');
      scenario(user, (error) => {
        if (error !== null) metrics.emit('error', error instanceof SeaworthyError ? error.code : error.message);
        done(error, user);
      });
    };
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await this.#deliverer?.close();
  }

  /** @throws TypeError for a step that the engine does not know */
  #step(spec: StepSpec, metrics: Metrics): EngineStep {
    const { loop, count, think, deliver, countEffects, whileTrue, over } = spec;
    if (Array.isArray(loop) && whileTrue === undefined && over === undefined)
      return this.#util.createLoopWithCount(
        (count as number | string | undefined) ?? -1,
        loop.map((each: StepSpec) => this.#step(each, metrics)),
        {},
      );
    if (think !== undefined) return this.#util.createThink(spec, {});
    if (typeof deliver === 'string' && deliver.startsWith('/'))
      return stepOf((user) => this.#deliver(deliver, user, metrics));
    if (countEffects === true) return stepOf((user) => this.#opened.load.countEffects(userOf(user), metrics));
    const valid = '"deliver: <path>", "countEffects: true", "loop" with "count", and "think"';
    throw new TypeError(`The engine seaworthy has no step ${JSON.stringify(spec)}. Its steps are ${valid}.`);
  }

  async #deliver(path: string, user: EngineUser, metrics: Metrics): Promise<void> {
    const { load, deliverer } = this.#opened;
    const sent = load.send(userOf(user), metrics);
    metrics.emit('rate', 'seaworthy.request_rate');
    const answer = await deliverer.deliver({ ...sent.delivery, path });
    if (answer.kind !== 'answered') {
      metrics.emit('error', answer.kind === 'broken' ? answer.code : 'ETIMEDOUT');
      return;
    }
    metrics.emit('counter', `seaworthy.codes.${answer.status}`, 1);
    metrics.emit('histogram', 'seaworthy.response_time', answer.ms);
    load.judge(sent, answer.status, metrics);
  }

  get #opened(): { readonly load: Load; readonly deliverer: Deliverer } {
    if (this.#load === undefined || this.#deliverer === undefined) throw new TypeError('init has to come first');
    return { load: this.#load, deliverer: this.#deliverer };
  }
}

/** Calls back once, whatever happens: what the callback throws is not caught here. */
function stepOf(run: (user: EngineUser) => Promise<void>): EngineStep {
  const step = callbackify(run);
  return (user, done) => step(user, (error) => done(error, user));
}

function userOf({ vars }: EngineUser): string {
  return String(vars['$uuid']);
}
