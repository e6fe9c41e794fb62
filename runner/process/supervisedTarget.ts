import { join } from 'node:path';

import type { ProcessChange } from '../../reports/model/events.ts';
import type { ProcessControl, Variables } from '../../suites/processControl.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Access } from '../http/access.ts';
import type { UntimedEvent } from '../engine/eventStream.ts';
import type { Deadline } from '../engine/ending.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { shownPath } from '../output/writtenFile.ts';
import type { Death, TargetProcess, ProcessSpec } from './targetProcess.ts';
import { openProcess } from './openProcess.ts';
import { untilReady } from './presence.ts';
import { control, type Owner } from '../engine/cases.ts';

/** A change of the target's process, as the case that made it remembers it. */
export interface ProcessMoment {
  /** Milliseconds of the run. */
  readonly at: number;
  readonly what: ProcessChange;
  readonly detail?: string;
}

/** What a target under process control has to know of the run. */
export interface SupervisedTargetOptions {
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
  /** When the run has to be at its end. */
  readonly deadline: Deadline;
  /** Milliseconds of the run. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Sends a plain request, which shows whether it is ready. Default: it is as soon as it takes connections. */
  readonly ask?: () => Promise<Answer>;
  /** Called when the target has ended although nobody asked for it. */
  readonly onDied: (death: Death) => void;
  /** Whose doing a death is that nobody asked for. */
  readonly suspect: () => Owner;
}

/** Lines of the target's output that a report shows. */
const lastLines = 40;

/** Those of them that say why it ended by itself. */
const lastBeforeDeath = 10;

/** A target that the kit starts and stops, as a run sees it: every change of its process is reported. */
export class SupervisedTarget {
  readonly #options: SupervisedTargetOptions;
  readonly #targetProcess: TargetProcess;
  /** When it last came up, or went on after a pause (monotonic). */
  upSince = 0;
  /** Milliseconds that its slowest start took so far. */
  slowestStart = 0;
  /** Whether it was waited for in vain: then it fails for another reason. */
  #isNeverReady = false;
  #last: Owner = control;
  #record: (moment: ProcessMoment) => void = () => {};

  /** To be made with {@link openSupervisedTarget}. */
  constructor(options: SupervisedTargetOptions, targetProcess: TargetProcess) {
    this.#options = options;
    this.#targetProcess = targetProcess;
  }

  /** Whether it runs and is not paused, as far as the kit knows. */
  get running(): boolean {
    return this.#targetProcess.state === 'running';
  }

  /** To be called before it is started. @throws UsageError where something else listens at its address */
  requireFree(): Promise<void> {
    return this.#targetProcess.requireFree();
  }

  /** Starts it for the first time. @throws TargetError where it does not come up */
  start(): Promise<void> {
    return this.controlFor(control, () => {}).start();
  }

  /**
   * What one case may do to it.
   *
   * @param record - called with every change that the case makes, and of a death that nobody asked for
   */
  controlFor(owner: Owner, record: (moment: ProcessMoment) => void): ProcessControl {
    const targetProcess = this.#targetProcess;
    const begin = (): void => {
      this.#last = { check: owner.check, case: owner.case };
      this.#record = record;
    };
    const change = async (what: ProcessChange, action: () => Promise<void>): Promise<void> => {
      begin();
      const from = this.#options.elapsed();
      const took = await this.#timed(action);
      if (what === 'started') {
        this.slowestStart = Math.max(this.slowestStart, took);
        this.#report(what, this.#options.elapsed(), `after ${took} ms`);
      } else this.#report(what, what === 'resumed' ? this.#options.elapsed() : from);
    };
    return {
      kill: async () => {
        if (targetProcess.state !== 'ended') await change('killed', () => targetProcess.kill());
      },
      stop: async () => {
        if (targetProcess.state === 'ended') return true;
        begin();
        return this.#stop();
      },
      pause: async () => {
        if (targetProcess.state === 'running') await change('paused', () => targetProcess.pause());
      },
      resume: async () => {
        if (targetProcess.state === 'paused') await change('resumed', () => targetProcess.resume());
      },
      start: async () => {
        if (targetProcess.state === 'ended') await change('started', () => this.#startUp());
      },
      startWith: async (variables) => {
        begin();
        return this.#startWith(variables);
      },
    };
  }

  /** Waits until it answers as one that is ready, now that it was started: see {@link untilReady}. */
  isReady(ask: () => Promise<Answer>): Promise<boolean> {
    const { signal, deadline } = this.#options;
    const isRunning = (): boolean => this.running;
    return untilReady(ask, {
      signal,
      deadline,
      get running() {
        return isRunning();
      },
    });
  }

  /** Makes sure that it runs, whatever a case did to it. @throws NotStarted where it does not come up */
  async ensureUp(owner: Owner): Promise<void> {
    const processControl = this.controlFor(owner, this.#record);
    await processControl.resume();
    await processControl.start();
  }

  /** See {@link TargetProcess.tail}. */
  tail(lines: number, of?: 'last-start'): readonly string[] {
    return this.#targetProcess.tail(lines, of);
  }

  /** Reports what it has written last. To be called once, at the end of the run. */
  say(): void {
    const { outputFile: file } = this.#targetProcess;
    const tail = this.#targetProcess.tail(lastLines);
    this.#options.emit({ type: 'target.said', tail, ...(file !== undefined && { file: shownPath(file) }) });
  }

  /** Ends it for good. Safe to call twice, and in any state. */
  close(): Promise<void> {
    return this.#targetProcess.close();
  }

  /** To be called when it ended although nobody asked for it. */
  died(death: Death): void {
    const { code, signal } = death;
    const { check, case: number } = this.#options.suspect();
    this.#last = { check, case: number };
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    this.#report('died', this.#options.elapsed(), how, {
      said: this.#targetProcess.tail(lastBeforeDeath, 'last-start'),
    });
    this.#options.onDied(death);
  }

  async #startUp(): Promise<void> {
    await this.#targetProcess.start();
    const { ask } = this.#options;
    if (ask !== undefined && !this.#isNeverReady) this.#isNeverReady = !(await this.isReady(ask));
  }

  async #startWith(variables: Variables): Promise<boolean> {
    let isUp = false;
    const took = await this.#timed(async () => void (isUp = await this.#targetProcess.startWith(variables)));
    const how = Object.entries(variables).map(([name, value]) =>
      value === undefined ? `without ${name}` : `with another ${name}`,
    );
    if (isUp) this.#report('started', this.#options.elapsed(), `${how.join(', ')}, after ${took} ms`);
    return isUp;
  }

  async #stop(): Promise<boolean> {
    this.#report('stopping', this.#options.elapsed());
    let byItself = false;
    const took = await this.#timed(async () => void (byItself = await this.#targetProcess.stop()));
    const how = byItself ? `by itself, after ${took} ms` : `killed, after ${took} ms`;
    this.#report('stopped', this.#options.elapsed(), how);
    return byItself;
  }

  async #timed(action: () => Promise<void>): Promise<number> {
    const from = this.#options.elapsed();
    await action();
    return Math.round(this.#options.elapsed() - from);
  }

  /** @param at - what ends it is reported with the time at which it was asked for, what starts it once it is up */
  #report(what: ProcessChange, at: number, detail?: string, more: { readonly said?: readonly string[] } = {}): void {
    const how = detail === undefined ? {} : { detail };
    if (what === 'started' || what === 'resumed') this.upSince = performance.now();
    this.#record({ at, what, ...how });
    this.#options.emit({ type: 'life.changed', ...this.#last, change: what, ...how, ...more });
  }
}

/**
 * Opens a target that the kit starts itself; it is not started yet.
 *
 * @throws UsageError where there is no container engine, or no such image
 */
export async function openSupervisedTarget(
  spec: ProcessSpec,
  options: SupervisedTargetOptions,
): Promise<SupervisedTarget> {
  const { url, access, directory, secrets, signal, deadline } = options;
  const outputFile = join(directory, 'target.log');
  const targetProcess = await openProcess(spec, {
    url,
    ...(access && { access }),
    outputFile,
    secrets,
    signal,
    deadline,
    // Nothing is started before the target is there.
    onDeath: (death) => target.died(death),
  });
  const target = new SupervisedTarget(options, targetProcess);
  return target;
}
