import { join } from 'node:path';

import type { LifeChange } from '../../reports/model/events.ts';
import type { LifeHands } from '../../suites/life.ts';
import type { Access } from '../http/access.ts';
import type { UntimedEvent } from '../engine/runEvents.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { shownPath } from '../output/shownPath.ts';
import type { Death, Life, LifeSpec } from './life.ts';
import { openLife } from './openLife.ts';

/** Whose doing a change is: a case of a check; `control` where the engine itself is at work. */
interface Owner {
  readonly check: string;
  readonly case: number;
}

/** A change of the target's life, as the case that made it remembers it. */
export interface LifeMoment {
  /** Milliseconds of the run. */
  readonly at: number;
  readonly what: LifeChange;
  readonly detail?: string;
}

/** What a target with a life has to know of the run. */
export interface LivingTargetOptions {
  /** Where the target takes connections. */
  readonly url: URL;
  /** How it may be connected to there. */
  readonly access?: Access;
  /** The run's own directory, where the target's output is kept. */
  readonly directory: string;
  /** What is left out of the target's output. */
  readonly secrets: Secrets;
  /** Where it is aborted, waiting for the target ends. */
  readonly signal: AbortSignal;
  /** Milliseconds of the run. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Told when the target has ended, asked or not: connections to it are worth nothing from then on. */
  readonly onEnded?: () => void;
  /** Told when the target has ended although nobody asked for it. */
  readonly onDied?: (death: Death) => void;
  /** Whose doing a death is that nobody asked for. Default: the last one that changed the target's life. */
  readonly suspect?: () => Owner | undefined;
}

/** The engine's own doing. */
const control: Owner = { check: 'control', case: 0 };

/** Lines of the target's output that a report shows. */
const lastLines = 40;

/** Those of them that tell why it ended by itself. */
const lastBeforeDeath = 10;

/** A target whose life is in the kit's hands, as a run sees it: every change of its life is told. */
export class LivingTarget {
  readonly #options: LivingTargetOptions;
  readonly #life: Life;
  #last: Owner = control;
  #record: (moment: LifeMoment) => void = () => {};

  /** To be made with {@link openLivingTarget}. */
  constructor(options: LivingTargetOptions, life: Life) {
    this.#options = options;
    this.#life = life;
  }

  /** Whether it runs and is not paused, as far as the kit knows. */
  get running(): boolean {
    return this.#life.state === 'running';
  }

  /** To be called before it is started. @throws UsageError where something else listens at its address */
  requireFree(): Promise<void> {
    return this.#life.requireFree();
  }

  /** Starts it for the first time. @throws TargetError where it does not come up */
  start(): Promise<void> {
    return this.hands(control, () => {}).start();
  }

  /**
   * What one case may do to it.
   *
   * @param record - told of every change that the case makes, and of a death that nobody asked for
   */
  hands(owner: Owner, record: (moment: LifeMoment) => void): LifeHands {
    const life = this.#life;
    const begin = (): void => {
      this.#last = { check: owner.check, case: owner.case };
      this.#record = record;
    };
    const change = async (what: LifeChange, action: () => Promise<void>): Promise<void> => {
      begin();
      const from = this.#options.elapsed();
      const took = await this.#timed(action);
      if (what === 'started') this.#tell(what, this.#options.elapsed(), `after ${took} ms`);
      else this.#tell(what, what === 'resumed' ? this.#options.elapsed() : from);
    };
    return {
      kill: async () => {
        if (life.state !== 'ended') await change('killed', () => life.kill());
        this.#options.onEnded?.();
      },
      stop: async () => {
        if (life.state === 'ended') return true;
        begin();
        return this.#stop();
      },
      pause: async () => {
        if (life.state === 'running') await change('paused', () => life.pause());
      },
      resume: async () => {
        if (life.state === 'paused') await change('resumed', () => life.resume());
      },
      start: async () => {
        if (life.state === 'ended') await change('started', () => life.start());
      },
    };
  }

  /** Makes sure that it runs, whatever a case did to it. @throws NotStarted where it does not come up */
  async ensureUp(owner: Owner): Promise<void> {
    const hands = this.hands(owner, this.#record);
    await hands.resume();
    await hands.start();
  }

  /** The last lines of its output, at most this many. */
  tail(lines: number): readonly string[] {
    return this.#life.tail(lines);
  }

  /** Tells what it has written last. To be called once, at the end of the run. */
  say(): void {
    const { outputFile: file } = this.#life;
    const tail = this.#life.tail(lastLines);
    this.#options.emit({ type: 'target.said', tail, ...(file !== undefined && { file: shownPath(file) }) });
  }

  /** Ends it for good. Safe to call twice, and in any state. */
  close(): Promise<void> {
    return this.#life.close();
  }

  /** To be told when it ended although nobody asked for it. */
  died(death: Death): void {
    const { code, signal } = death;
    const { check, case: number } = this.#options.suspect?.() ?? this.#last;
    this.#last = { check, case: number };
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    this.#tell('died', this.#options.elapsed(), how, { said: this.#life.tail(lastBeforeDeath) });
    this.#options.onEnded?.();
    this.#options.onDied?.(death);
  }

  async #stop(): Promise<boolean> {
    this.#tell('stopping', this.#options.elapsed());
    let byItself = false;
    const took = await this.#timed(async () => void (byItself = await this.#life.stop()));
    const how = byItself ? `by itself, after ${took} ms` : `killed, after ${took} ms`;
    this.#tell('stopped', this.#options.elapsed(), how);
    this.#options.onEnded?.();
    return byItself;
  }

  async #timed(action: () => Promise<void>): Promise<number> {
    const from = this.#options.elapsed();
    await action();
    return Math.round(this.#options.elapsed() - from);
  }

  /** @param at - what ends it is told with the time at which it was asked for, what starts it once it is up */
  #tell(what: LifeChange, at: number, detail?: string, more: { readonly said?: readonly string[] } = {}): void {
    const how = detail === undefined ? {} : { detail };
    this.#record({ at, what, ...how });
    this.#options.emit({ type: 'life.changed', ...this.#last, change: what, ...how, ...more });
  }
}

/**
 * Opens a target that the kit starts itself; it is not started yet.
 *
 * @throws UsageError where there is no container engine, or no such image
 */
export async function openLivingTarget(spec: LifeSpec, options: LivingTargetOptions): Promise<LivingTarget> {
  const { url, access, directory, secrets, signal } = options;
  const outputFile = join(directory, 'target.log');
  const opened: { target?: LivingTarget } = {};
  const onDeath = (death: Death): void => opened.target?.died(death);
  const life = await openLife(spec, { url, ...(access && { access }), outputFile, secrets, signal, onDeath });
  opened.target = new LivingTarget(options, life);
  return opened.target;
}
