import type { Moment } from '../../reports/model/events.ts';
import { NotStarted } from '../../suites/processControl.ts';
import { TargetError } from '../errors.ts';
import { processFailed, type GuardedProcess } from '../process/guardedProcess.ts';
import { notUpAgain, type Guardian } from '../process/guardian.ts';
import type { Activity } from './activity.ts';
import type { Traits } from './agreement.ts';
import type { GeneratedCase } from './cases.ts';
import { aftermath, longAftermath, targetGone } from './death.ts';
import type { Found } from './failure.ts';
import type { Trier } from './property.ts';
import type { OpenCase, Side, SideCheck } from './side.ts';
import { SupervisedTry } from './supervisedTry.ts';
import type { Suspects } from './suspects.ts';
import { tryCase, type Trial } from './trial.ts';

/** Called of what became of a case later. */
export interface Judge<F> {
  /** Settles the check by this case. */
  convict(generated: GeneratedCase, finding: F): void;
  /** @param finding - what the case would show; nothing where something else was at work */
  doubt(generated: GeneratedCase, reason: string, finding?: F): void;
}

/** Tries the cases of a check, each with a kit of its own, and notices when the target is gone. */
export class CaseTrier<C extends SideCheck<Draw>, Draw, F extends Found & object> implements Trier<F> {
  readonly #side: Side<C, Draw, F>;
  readonly #check: C;
  readonly #activity: Activity;
  /** Where its cases run one at a time: the case that the target dies of is known then. */
  suspects: Suspects | undefined;
  /** The last try of each case. */
  readonly #tries = new WeakMap<GeneratedCase, OpenCase<F>>();
  /** Cases in which the target died, or right after. */
  readonly #suspected = new WeakSet<GeneratedCase>();
  readonly #timelines = new WeakMap<F, readonly Moment[]>();
  #judge: Judge<F> | undefined;

  constructor(side: Side<C, Draw, F>, check: C, suspects?: Suspects) {
    this.#side = side;
    this.#check = check;
    this.#activity = side.activityOf(check);
    this.suspects = suspects;
  }

  /** Who hears of it when the target dies of a case. */
  set property(judge: Judge<F>) {
    this.#judge = judge;
  }

  get activity(): Activity {
    return this.#activity;
  }

  /** What was done and seen in the case that a finding is about; nothing where it had no process control. */
  timelineOf(finding: F): readonly Moment[] | undefined {
    return this.#timelines.get(finding);
  }

  /** What a case was about when it was tried last. */
  traitsOf(generated: GeneratedCase): Traits | undefined {
    return this.#tries.get(generated)?.traits;
  }

  async try(generated: GeneratedCase): Promise<Trial<F>> {
    const { targetProcess, ended } = this.#side.context;
    const open = await this.#side.open(this.#check, generated, this.#activity);
    this.#tries.set(generated, open);
    if (this.suspects && !targetProcess) this.suspects.last = { die: () => this.#die(generated, open) };
    const trial = targetProcess
      ? await this.#supervised(generated, open, targetProcess)
      : await tryCase(ended, () => open.run());
    const closed = await open.close(trial);
    const timeline = closed.kind === 'broken' ? open.timelineOf(closed.finding) : undefined;
    if (closed.kind === 'broken' && timeline) this.#timelines.set(closed.finding, timeline);
    return closed;
  }

  async over(): Promise<boolean> {
    const { context } = this.#side;
    return context.targetProcess === undefined && ((await this.suspects?.convict(context)) ?? false);
  }

  /** Waits until a death can no longer be the doing of the last case. @param ms - how long at most */
  async last(ms: number = aftermath): Promise<void> {
    const { ended, targetProcess } = this.#side.context;
    if (targetProcess && !ended.aborted) await targetProcess.guardian.untilDeath(ms);
  }

  async tried(generated: GeneratedCase, trial: Trial<F>): Promise<void> {
    const { context, subject } = this.#side;
    if (context.targetProcess || (trial.kind !== 'broken' && trial.kind !== 'unproven')) return;
    if (this.#tries.get(generated)?.answers.at(-1)?.kind !== 'broken' || (await this.over())) return;
    if (context.ended.aborted || (await context.stillThere())) return;
    context.end(targetGone(subject, `while checks ran side by side (${this.#check.id} saw it first)`));
  }

  /** Tries a case of a target that the kit brings up again, whatever becomes of it. */
  async #supervised(generated: GeneratedCase, open: OpenCase<F>, { guardian }: GuardedProcess): Promise<Trial<F>> {
    const supervised = new SupervisedTry(this.#side.subject, this.#check, generated.index, open, {
      alone: () => this.#isAlone(),
      convict: (finding) => this.#judge?.convict(generated, finding),
      suspect: (reason, ended, finding) => {
        this.#suspected.add(generated);
        if (ended) this.#judge?.doubt(generated, reason, finding);
      },
    });
    const run = async (): Promise<F | undefined> => {
      await guardian.up(supervised);
      const leave = guardian.enter(supervised);
      try {
        return await open.run();
      } finally {
        if (!supervised.controlsProcess) await this.#lookAfter(open, supervised, guardian);
        if (this.#suspected.has(generated)) await supervised.linger(longAftermath);
        await guardian.up(supervised).finally(leave);
      }
    };
    const fromStart = (): Promise<F | undefined> =>
      run().catch((error: unknown) => this.#notStarted(error, supervised));
    return supervised.judged(await tryCase(this.#side.context.ended, fromStart));
  }

  #isAlone(): boolean {
    return this.suspects !== undefined || this.#side.isAlone();
  }

  /** A target that does not come up again can be asked nothing more: that is certain at once. */
  #notStarted(error: unknown, supervised: SupervisedTry<F>): F {
    const { context, subject } = this.#side;
    if (error instanceof TargetError && !context.ended.aborted) context.end(processFailed(error));
    if (!(error instanceof NotStarted)) throw error;
    context.end(notUpAgain(subject, error));
    return supervised.notUp(error);
  }

  /** The target is gone, and nothing ran beside this case: that is certain at once. */
  #die(generated: GeneratedCase, open: OpenCase<F>): void {
    const { context, subject } = this.#side;
    const expected = `the ${subject} goes on serving`;
    this.#judge?.convict(generated, open.fatal({ expected, actual: 'it stopped taking connections', absence: false }));
    context.end(targetGone(subject, `after a case of ${this.#check.id}`));
  }

  /** A broken connection may be the first sign of a death. */
  async #lookAfter({ answers }: OpenCase<F>, supervised: SupervisedTry<F>, guardian: Guardian): Promise<void> {
    const { context } = this.#side;
    const broken = answers.filter((answer) => answer.kind === 'broken');
    if (context.ended.aborted || broken.length === 0) return;
    if (!(await context.reachable())) return guardian.missed(() => context.stillThere());
    // A process that ends closes its port a moment after its connections, and the next case must not be blamed for it.
    if (this.#isAlone() && broken.some(({ code }) => !code.endsWith('_BY_KIT'))) await supervised.linger();
  }
}
