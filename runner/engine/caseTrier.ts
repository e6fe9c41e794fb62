import type { Moment } from '../../reports/model/events.ts';
import { replayCommand } from '../../reports/curl/replayCommand.ts';
import { isUnusable } from '../../suites/unreached.ts';
import { isOwnWant } from '../http/ownWant.ts';
import { NotStarted } from '../../suites/processControl.ts';
import { TargetError } from '../errors.ts';
import { processFailed } from '../process/guardedProcess.ts';
import { notUpAgain, type TargetDeath } from '../process/supervisedCase.ts';
import type { Guardian } from '../process/guardian.ts';
import type { Activity } from './activity.ts';
import { type Traits, TraitsOfMany } from './agreement.ts';
import type { GeneratedCase } from './cases.ts';
import { aftermath } from './death.ts';
import { type Failure, type Found, tryCase, type Trial } from './trial.ts';
import type { Trier } from './propertyRun.ts';
import type { OpenCase, Side, SideCheck } from './side.ts';
import { SupervisedTry } from './supervisedTry.ts';

/** Called of what became of a case later. */
export interface Judge<F> {
  /** Whether the check has ended: nothing settles it any more. */
  readonly isOver?: boolean;
  /** Settles the check by this case. */
  convict(generated: GeneratedCase, finding: F): void;
  /** @param finding - what the case would show; nothing where something else was at work */
  doubt(generated: GeneratedCase, reason: string, finding?: F): void;
  /** The target died, perhaps of this case. @param after - milliseconds for which it had not been at work */
  suspect?(generated: GeneratedCase, death: TargetDeath, after: number): void;
}

/** Tries the cases of a check, each with a kit of its own, and notices when the target is gone. */
export class CaseTrier<C extends SideCheck<Draw>, Draw, F extends Found & object> implements Trier<F> {
  readonly #side: Side<C, Draw, F>;
  readonly #check: C;
  readonly #activity: Activity;
  /** Whether nothing else can be what the target dies of. */
  #alone: boolean;
  /** Whether the cases of its phase run one at a time: then the target is looked for before each. */
  get inTurn(): boolean {
    return this.phase?.alone === true;
  }
  phase: { readonly alone?: boolean } | undefined;
  /** Milliseconds for which a death is awaited after a case that is tried alone. Default 0: its caller does that. */
  #patience = 0;
  /** How each case ended, each time that it was tried. */
  readonly #trials = new WeakMap<GeneratedCase, readonly Trial<F>[]>();
  /** What each case was about when it was tried last. What it sent and got is not kept: answers may be long. */
  readonly #traits = new WeakMap<GeneratedCase, Traits>();
  /** What those were about that are forgotten. */
  readonly forgotten = new TraitsOfMany();
  readonly #timelines = new WeakMap<F, readonly Moment[]>();
  #judge: Judge<F> | undefined;

  constructor(side: Side<C, Draw, F>, check: C, alone = false) {
    this.#side = side;
    this.#check = check;
    this.#activity = side.activityOf(check);
    this.#alone = alone;
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
    return this.#traits.get(generated);
  }

  async try(generated: GeneratedCase): Promise<Trial<F>> {
    const before = this.#trials.get(generated) ?? [];
    const open = await this.#side.open(this.#check, generated, this.#activity, before);
    const tried = await this.#supervised(generated, open);
    const closed = await open.close(this.#wasUnusable(tried, open) ? { ...tried, unusable: true } : tried);
    this.#trials.set(generated, [...before, closed]);
    this.#traits.set(generated, open.traits);
    const timeline = closed.kind === 'broken' ? open.timelineOf(closed.finding) : undefined;
    if (closed.kind === 'broken' && timeline) this.#timelines.set(closed.finding, timeline);
    return closed;
  }

  forget(generated: GeneratedCase): void {
    const traits = this.#traits.get(generated);
    if (traits) this.forgotten.add(traits);
    this.#traits.delete(generated);
    this.#trials.delete(generated);
    generated.letGo?.();
  }

  /** Whether the run is over. Where cases come one at a time, the target is looked for: the last one may have ended it. */
  async over(): Promise<boolean> {
    const { context } = this.#side;
    if (!context.ended.aborted && (this.inTurn || this.#alone)) await context.guardian.notice();
    return context.ended.aborted;
  }

  /** Waits until a death can no longer be the doing of the last case. @param ms - how long at most */
  async last(ms: number = aftermath): Promise<void> {
    const { ended, guardian } = this.#side.context;
    if (!ended.aborted) await guardian.untilDeath(ms);
  }

  explain(death: TargetDeath): void {
    this.#side.context.guardian.explain(death);
  }

  isExplained(death: TargetDeath): boolean {
    return this.#side.context.guardian.explains(death);
  }

  /** Tries a case again while nothing else is at work. @param after - see {@link Suspect} */
  async again(generated: GeneratedCase, after: number): Promise<Trial<F>> {
    this.#alone = true;
    this.#patience = aftermath + 2 * after;
    try {
      return await this.try(generated);
    } finally {
      this.#alone = false;
    }
  }

  /** Tries a case of a target that is up again after it, whatever becomes of it. */
  async #supervised(generated: GeneratedCase, open: OpenCase<F>): Promise<Trial<F>> {
    const { guardian, ended } = this.#side.context;
    const supervised = this.#watched(generated, open);
    const run = async (): Promise<F | undefined> => {
      await guardian.up(supervised);
      const leave = guardian.enter(supervised);
      try {
        return await open.run();
      } finally {
        if (!supervised.controlsProcess) await this.#lookAfter(open, guardian);
        if (this.#alone && this.#patience > 0) await this.last(this.#patience);
        await guardian.up(supervised).finally(() => leave(this.#alone));
      }
    };
    const fromStart = (): Promise<F | undefined> =>
      run().catch((error: unknown) => this.#notStarted(error, supervised));
    return supervised.judged(await tryCase(ended, fromStart));
  }

  #watched(generated: GeneratedCase, open: OpenCase<F>): SupervisedTry<F> {
    const alone = this.#alone;
    const { inTurn } = this;
    const { guardian } = this.#side.context;
    return new SupervisedTry(this.#side.subject, this.#check, generated.index, open, {
      alone,
      inTurn: alone || inTurn,
      startsIt: guardian.startsIt,
      isKnown: (death) => guardian.explains(death, true),
      isOver: () => this.#judge?.isOver === true,
      convict: (finding) => this.#judge?.convict(generated, finding),
      suspect: (death, after) => this.#judge?.suspect?.(generated, death, after),
      doubt: (reason, finding) => this.#judge?.doubt(generated, reason, finding),
      keep: (finding) => this.#keep({ case: generated, finding }),
    });
  }

  #keep(failure: Failure<F>): string | undefined {
    const { file } = this.#side.counterexample(this.#check, failure, { timeline: undefined });
    return file === undefined ? undefined : replayCommand(file, this.#side.context.plan.command);
  }

  /** Where the kit ends the target itself, that a connection breaks shows nothing. */
  #wasUnusable({ kind }: Trial<F>, { answers }: OpenCase<F>): boolean {
    const last = answers.at(-1);
    if (this.#check.needs.includes('process-control') || last === undefined) return false;
    if (last.kind === 'broken' && isOwnWant(last.code)) return false;
    return (kind === 'unproven' || kind === 'unobservable') && isUnusable(last);
  }

  /** A target that does not come up again can be asked nothing more: that is certain at once. */
  #notStarted(error: unknown, supervised: SupervisedTry<F>): F {
    const { context, subject } = this.#side;
    if (error instanceof TargetError && !context.ended.aborted) context.end(processFailed(error));
    if (!(error instanceof NotStarted)) throw error;
    context.end(notUpAgain(subject, { how: 'was ended' }, error));
    return supervised.notUp(error);
  }

  /** A broken connection may be the first sign of a death. */
  async #lookAfter({ answers }: OpenCase<F>, guardian: Guardian): Promise<void> {
    const broken = answers.some((answer) => answer.kind === 'broken' && isUnusable(answer));
    if (broken && !this.#side.context.ended.aborted) await guardian.look();
  }
}
