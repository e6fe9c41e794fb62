import { setTimeout as sleep } from 'node:timers/promises';

import { NotStarted } from '../../suites/processControl.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import type { SupervisedTarget } from './supervisedTarget.ts';

/** A case of a check, as far as the process of the target is concerned. */
export interface SupervisedCase {
  readonly check: string;
  readonly case: number;
  /** True where it does nothing at the moment but wait for what others wait for too. */
  readonly waiting: boolean;
  /** True where it holds process control of the target. */
  readonly controlsProcess: boolean;
  /** The target died while it was at work, or right after. */
  suspected(): void;
  /** The target died, nothing but this case was at work, and it does not come up again. */
  convicted(error: NotStarted): void;
}

/** What a guardian has to know of the run. */
export interface GuardianOptions {
  readonly target: SupervisedTarget;
  /** `receiver` or `service`, for messages. */
  readonly kind: string;
  /** Aborted when the run ends: from then on nothing is started. */
  readonly ended: AbortSignal;
  end(end: RunEnd): void;
}

/** Keeps a target up while cases run, and knows which of them were at work where it died although nobody asked for it. */
export class Guardian {
  readonly #options: GuardianOptions;
  readonly #atWork = new Set<SupervisedCase>();
  #last: SupervisedCase | undefined;
  #rising: Promise<void> | undefined;
  #restoring: Promise<void> | undefined;
  /** Called of the next death. */
  readonly #awaitingDeath = new Set<() => void>();
  #deaths = 0;

  constructor(options: GuardianOptions) {
    this.#options = options;
  }

  /** How often it died although nobody asked for it. */
  get deaths(): number {
    return this.#deaths;
  }

  /** The case that a change of the target's process belongs to, where the one that made it is not known. */
  get suspect(): SupervisedCase | undefined {
    return this.#suspects()[0];
  }

  /** Counts a case in. @returns counts it out again */
  enter(supervisedCase: SupervisedCase): () => void {
    this.#atWork.add(supervisedCase);
    this.#last = supervisedCase;
    return () => this.#atWork.delete(supervisedCase);
  }

  /**
   * Makes sure that the target runs. To be called before and after each case, once nothing else acts on its process.
   *
   * @throws NotStarted where it does not come up again
   */
  async up(supervisedCase: Pick<SupervisedCase, 'check' | 'case'>): Promise<void> {
    await this.#rising;
    if (!this.#options.ended.aborted && !this.#options.target.running)
      await this.#options.target.ensureUp(supervisedCase);
  }

  /** To be called when the target ended although nobody asked for it. */
  died(): void {
    this.#deaths += 1;
    const suspects = this.#suspects();
    for (const suspect of suspects) suspect.suspected();
    for (const wake of this.#awaitingDeath) wake();
    if (!suspects.some(({ controlsProcess }) => controlsProcess)) this.#rising ??= this.#raise(suspects);
  }

  /**
   * It takes no connections, though nobody ended it: waits until its death is known. One that runs and still takes none is
   * as good as dead, and killed.
   */
  async missed(isThere: () => Promise<boolean>): Promise<void> {
    const deaths = this.#deaths;
    for (let looked = 0; looked < 50 && this.#deaths === deaths && this.#rising === undefined; looked++)
      await sleep(20);
    if (this.#deaths === deaths && this.#rising === undefined && !(await isThere())) await this.gone();
    await this.#rising;
  }

  /** Waits for a death that nobody asked for, and then until it is up again. @param ms - how long a death is awaited at most */
  async untilDeath(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#awaitingDeath.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#awaitingDeath.delete(resolve);
    await this.#rising;
  }

  /** It runs, but takes no connections any more: that is as good as dead. */
  async gone(): Promise<void> {
    this.#restoring ??= this.#restore().finally(() => (this.#restoring = undefined));
    await this.#restoring;
  }

  async #restore(): Promise<void> {
    const { check, case: number } = this.suspect ?? nobody;
    await this.#options.target.controlFor({ check, case: number }, () => {}).kill();
    this.died();
    await this.#rising;
  }

  #suspects(): readonly SupervisedCase[] {
    const busy = [...this.#atWork].filter(({ waiting }) => !waiting);
    if (busy.length > 0) return busy;
    return this.#last === undefined ? [] : [this.#last];
  }

  /** Brings it up again at once, so that those who did not kill it need not wait long. Never rejects. */
  async #raise(suspects: readonly SupervisedCase[]): Promise<void> {
    try {
      if (!this.#options.ended.aborted) await this.#options.target.ensureUp(suspects[0] ?? nobody);
    } catch (error) {
      if (!this.#options.ended.aborted) this.#giveUp(error, suspects);
    } finally {
      this.#rising = undefined;
    }
  }

  #giveUp(error: unknown, suspects: readonly SupervisedCase[]): void {
    if (error instanceof NotStarted && suspects.length === 1) suspects[0]?.convicted(error);
    this.#options.end(notUpAgain(this.#options.kind, error));
  }
}

const nobody = { check: 'control', case: 0 };

/** The end of a run whose target was ended and does not come up again. */
export function notUpAgain(kind: string, error: unknown): RunEnd {
  const message = error instanceof Error ? error.message : String(error);
  return {
    reason: `the ${kind} ended and did not come up again: ${message}`,
    advice: `Start the ${kind} by hand in the state in which it is now, and see what keeps it from coming up.`,
  };
}
