import { setTimeout as sleep } from 'node:timers/promises';

import { Unproven } from '../../suites/check.ts';
import type { Effects } from '../../suites/kit.ts';
import { ProbeError, type Probe } from './probe.ts';
import type { ReceiverContext } from './receiverContext.ts';
import type { Settler } from './settler.ts';
import type { Owner } from '../engine/owner.ts';

/** What one case sees of effects. Whatever it asks for shows nothing (Unproven) without a probe, or where the probe fails. */
export class CaseEffects {
  readonly #context: ReceiverContext;
  readonly #owner: KitOwner;
  #waitingSince: number | undefined;

  constructor(context: ReceiverContext, owner: KitOwner) {
    this.#context = context;
    this.#owner = owner;
  }

  /** Since when (monotonic) the case has done nothing but wait for what others wait for too, and judge it; nothing while it is at work. */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  /** The numbers after the wait that all cases share: see {@link Settler.wait}. */
  counted(expected: ReadonlyMap<string, number>, since: number | undefined, isSoon?: boolean): Promise<Effects> {
    return this.#park(() => this.#asked(({ settler }) => settler.wait(expected, since, isSoon)));
  }

  /** The numbers that were seen of these ids, once each has one or nothing more came; see {@link Settler.untilSeen}. */
  awaited(ids: readonly string[], atLeast: number): Promise<Effects> {
    const once = new Map(ids.map((id) => [id, 1]));
    return this.#asked(({ settler }) => settler.untilSeen(once, { atLeast }));
  }

  /** The numbers at this moment. */
  soFar(ids: readonly string[]): Promise<Effects> {
    return this.#asked(({ probe }) => probe.count(ids));
  }

  /** Resolves once nothing was delivered for so many milliseconds, or the run has ended. */
  quiet(ms: number): Promise<void> {
    const { log, ended } = this.#context;
    return this.#park(async () => {
      for (let left = ms; left > 0 && !ended.aborted; left = log.last + ms - performance.now())
        await sleep(left, undefined, { signal: ended }).catch(() => undefined);
    });
  }

  async #asked(ask: (by: { settler: Settler; probe: Probe }) => Promise<Effects>): Promise<Effects> {
    const { settler, probe } = this.#context;
    if (!settler || !probe) throw new Unproven('no probe was given');
    const { deaths } = this.#context.guardian;
    try {
      return await ask({ settler, probe });
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      if (!(await this.#hasTargetGone(deaths))) this.#blame(error);
      throw new Unproven(error.message, { cause: error });
    }
  }

  /** Gives the case's place away while it waits. The target must run by then, for the next case finds it as it is. */
  async #park<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#owner.controlsProcess) await this.#context.targetProcess?.guardian.up(this.#owner);
    this.#waitingSince = performance.now();
    try {
      return await this.#context.activity.park(wait());
    } finally {
      if (this.#owner.controlsProcess) this.#waitingSince = undefined;
    }
  }

  /** To be called where the case sends something: what it waited for is over. */
  goOn(): void {
    this.#waitingSince = undefined;
  }

  /** A probe that fails although the target is there, and was asked again and again, is a fault of the probe. */
  #blame({ explanation: { received, valid, next } }: ProbeError): void {
    if (this.#context.ended.aborted) return;
    this.#context.emit({ type: 'probe.failed', reason: received, advice: `${valid}. ${next}.` });
  }

  /**
   * A probe may have gone down with the target: it comes up again with it, or the run is over.
   *
   * @param deaths - how often the target had died before the probe was asked
   */
  async #hasTargetGone(deaths: number): Promise<boolean> {
    const { guardian, ended } = this.#context;
    if (this.#owner.controlsProcess || ended.aborted) return true;
    await guardian.look();
    await guardian.up(this.#owner);
    return guardian.deaths > deaths;
  }
}

/** The case that a kit is for. */
export interface KitOwner extends Owner {
  /** True where it has process control of the target. Default false. */
  readonly controlsProcess?: boolean;
  /** True where it failed before. Default false. */
  readonly isAgain?: boolean;
}
