import { setTimeout as delay } from 'node:timers/promises';

import type { KeptOutput } from './programOutput.ts';
import {
  NotLaunched,
  type Kind,
  type Start,
  type Death,
  type TargetProcess,
  type ProcessOptions,
  type Failure,
  notUpAgain,
  outlived,
  portTaken,
  startFailed,
} from './targetProcess.ts';
import { settlesWithin, StopGrace } from './stopGrace.ts';
import { takesConnections } from './presence.ts';
import type { Variables } from '../../suites/processControl.ts';

/** Milliseconds; see {@link ProcessOptions}. */
const usualStartTime = 60_000;

/** Milliseconds between two looks whether it is up. */
const interval = 20;

/** Milliseconds in which something else may bring a target up again whose processes are there but take no connections. */
const revivalTime = 3_000;

/** Milliseconds until the port of a killed target must refuse connections. */
const refusalTime = 3_000;

/**
 * How often a target that was up before is started, where it ends before it is up. A supervisor would not give up at
 * the first try either, and what a kill leaves for a moment (a port, a lock) may stand in its way.
 */
const tries = { most: 3, apart: 250 };

/**
 * How long a start with other variables is awaited: so many times as long as the usual one took, and this many milliseconds
 * at least.
 */
const patience = { times: 3, least: 3_000 };

/** How much of what is left of a run its first start may take: that it did not come up is said before the end. */
const shareOfFirstStart = 0.8;

/** Lines of its output that an error shows. */
const linesShown = 20;

/** A controlled process over either kind of target. */
export class ControlledProcess implements TargetProcess {
  readonly #kind: Kind;
  readonly #output: KeptOutput;
  readonly #options: ProcessOptions;
  readonly #grace: StopGrace;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #start: Start | undefined;
  #starting: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #paused = false;
  /** Whether the present start is to end, so that its end is nothing to report. */
  #asked = false;
  #wasUp = false;
  /** Milliseconds that the slowest start took. */
  #slowest = 0;
  /** The position of the output at which it was started last. */
  #startedAt = 0;

  constructor(kind: Kind, output: KeptOutput, options: ProcessOptions) {
    this.#kind = kind;
    this.#output = output;
    this.#options = options;
    this.#grace = new StopGrace(options.stopTime);
    this.#signal = AbortSignal.any([this.#closing.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  }

  get state(): TargetProcess['state'] {
    if (this.#start === undefined) return 'ended';
    return this.#paused ? 'paused' : 'running';
  }

  get outputFile(): string | undefined {
    return this.#output.file;
  }

  tail(lines: number, of?: 'last-start'): readonly string[] {
    return this.#output.tail(lines, of === undefined ? 0 : this.#startedAt);
  }

  async requireFree(): Promise<void> {
    if (await takesConnections(this.#options.url)) throw portTaken(this.#kind, this.#options.url);
  }

  start(): Promise<void> {
    this.#starting = this.#bringUp();
    return this.#starting;
  }

  startWith(variables: Variables): Promise<boolean> {
    const starting = this.#comesUpWith(variables);
    this.#starting = starting.then(() => {});
    return starting;
  }

  async kill(): Promise<void> {
    if (this.#start === undefined) return;
    this.#asked = true;
    await this.#start.kill();
    await this.#hasEnded();
  }

  async stop(): Promise<boolean> {
    const start = this.#start;
    if (start === undefined) return true;
    this.#asked = true;
    await start.terminate();
    this.#paused = false;
    const asked = performance.now();
    const graceful = await settlesWithin(start.ended, this.#grace.ms, this.#signal);
    this.#grace.note(graceful, performance.now() - asked);
    if (!graceful) await start.kill();
    await this.#hasEnded();
    return graceful;
  }

  async pause(): Promise<void> {
    if (this.#start === undefined || this.#paused) return;
    this.#paused = true;
    await this.#start.pause();
  }

  async resume(): Promise<void> {
    if (!this.#paused) return;
    this.#paused = false;
    await this.#start?.resume();
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#closing.abort(new Error('the target was closed for good'));
    await this.#starting?.catch(() => {});
    try {
      await this.kill();
    } finally {
      await this.#kind.discard();
      this.#output.close();
    }
  }

  async #bringUp(): Promise<void> {
    this.#signal.throwIfAborted();
    await this.resume();
    if (this.#start !== undefined) {
      if ((await this.#comesUp(this.#start, revivalTime)) === 'up') return;
      await this.kill();
    }
    const most = this.#wasUp ? tries.most : 1;
    for (let tried = 1; ; tried += 1) {
      const failure = await this.#tryOnce();
      if (failure === undefined) break;
      if (tried < most && failure.state !== 'late') await delay(tries.apart, undefined, { signal: this.#signal });
      else throw this.#wasUp ? notUpAgain(this.#kind, failure) : startFailed(this.#kind, this.#options.url, failure);
    }
    this.#wasUp = true;
  }

  async #comesUpWith(variables: Variables): Promise<boolean> {
    const startTime = Math.max(patience.least, patience.times * this.#slowest);
    const failure = await this.#tryOnce({ startTime, variables });
    // It was not started to stay.
    this.#asked = true;
    return failure === undefined;
  }

  /** @returns nothing where it is up */
  async #tryOnce(
    how: { readonly startTime?: number; readonly variables?: Variables } = {},
  ): Promise<Failure | undefined> {
    const { startTime: longest = usualStartTime, deadline } = this.#options;
    const left = this.#wasUp || deadline === undefined ? Infinity : deadline.left * shareOfFirstStart;
    const startTime = Math.min(how.startTime ?? Infinity, longest, left);
    if (await takesConnections(this.#options.url, this.#options.access))
      throw this.#wasUp ? outlived(this.#kind, this.#options.url) : portTaken(this.#kind, this.#options.url);
    this.#signal.throwIfAborted();
    const began = performance.now();
    const before = this.#output.position;
    this.#startedAt = before;
    const start = await this.#launch(how.variables);
    if (start instanceof NotLaunched) return { state: start, took: 0, said: [] };
    const state = await this.#comesUp(start, startTime);
    const took = performance.now() - began;
    if (state === 'up') {
      this.#asked = false;
      this.#slowest = Math.max(this.#slowest, took);
      return undefined;
    }
    await this.kill();
    return { state, took, said: this.#output.tail(linesShown, before) };
  }

  async #launch(variables?: Variables): Promise<Start | NotLaunched> {
    // Until it is up, its end is a start that failed.
    this.#asked = true;
    try {
      const start = await this.#kind.launch(variables);
      this.#start = start;
      void start.ended.then((death) => this.#noteEnd(start, death));
      return start;
    } catch (error) {
      if (error instanceof NotLaunched) return error;
      throw error;
    }
  }

  /** The end of a start, whatever brought it about. */
  #noteEnd(start: Start, death: Death): void {
    if (this.#start !== start) return;
    this.#start = undefined;
    this.#paused = false;
    if (!this.#asked) this.#options.onDeath?.(death);
  }

  /** @throws the reason of the signal where it was aborted */
  async #comesUp(start: Start, timeLimit: number): Promise<'up' | 'late' | Death> {
    const ending: { death?: Death } = {};
    void start.ended.then((death) => (ending.death = death));
    for (const deadline = performance.now() + timeLimit; performance.now() < deadline;) {
      this.#signal.throwIfAborted();
      const up = await this.#kind.isUp(this.#options.url, this.#options.access);
      if (ending.death !== undefined) return ending.death;
      if (up) return 'up';
      await delay(interval);
    }
    return 'late';
  }

  /** Waits until the present start has ended in every respect: its port refuses connections too. */
  async #hasEnded(): Promise<void> {
    const start = this.#start;
    if (start !== undefined) this.#noteEnd(start, await start.ended);
    const deadline = performance.now() + refusalTime;
    while (await takesConnections(this.#options.url, this.#options.access)) {
      if (performance.now() > deadline) throw outlived(this.#kind, this.#options.url);
      await delay(interval);
    }
  }
}
