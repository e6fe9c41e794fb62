import type { Moment } from '../../reports/model/events.ts';
import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { Attempt } from '../../suites/delivery.ts';
import { NotStarted } from '../../suites/processControl.ts';
import type { GeneratedCase } from '../engine/cases.ts';
import { TargetError } from '../errors.ts';
import { processFailed, type GuardedProcess } from '../process/guardedProcess.ts';
import { notUpAgain, type Guardian } from '../process/guardian.ts';
import type { Property, Trier } from '../engine/property.ts';
import { targetGone, type ControlResult, type ReceiverContext } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';
import type { Suspects } from '../engine/suspects.ts';
import { tryCase, type Trial } from '../engine/trial.ts';
import { aftermath, longAftermath, SupervisedReceiverCase } from './supervisedReceiverCase.ts';

/** Called of what became of a case later. */
interface Judge extends Pick<Property<Finding>, 'convict'> {
  /** @param finding - what the case would show; nothing where something else was at work */
  doubt(generated: GeneratedCase, reason: string, finding?: Finding): void;
}

/** Tries the cases of a check of a receiver, each with a kit of its own, and notices when the receiver is gone. */
export class ReceiverTrier implements Trier<Finding> {
  readonly #context: ReceiverContext;
  readonly #found: ControlResult;
  readonly #check: ReceiverCheck;
  readonly #suspects: Suspects | undefined;
  readonly #controlsProcess: boolean;
  /** The kit of the last try of each case. */
  readonly #kits = new WeakMap<GeneratedCase, CaseKit>();
  /** Cases in which the target died, or right after. */
  readonly #suspected = new WeakSet<GeneratedCase>();
  readonly #timelines = new WeakMap<Finding, readonly Moment[]>();
  #property: Judge | undefined;

  /** @param suspects - where its cases run one at a time: the case that the target dies of is known then */
  constructor(context: ReceiverContext, found: ControlResult, check: ReceiverCheck, suspects: Suspects | undefined) {
    this.#context = context;
    this.#found = found;
    this.#check = check;
    this.#suspects = context.targetProcess ? undefined : suspects;
    this.#controlsProcess = check.needs.includes('process-control');
  }

  /** Whose case is convicted when the target dies of it. */
  set property(property: Judge) {
    this.#property = property;
  }

  /** What was done and seen in the case that a finding is about; nothing where it had no process control. */
  timelineOf(finding: Finding): readonly Moment[] | undefined {
    return this.#timelines.get(finding);
  }

  async try(generated: GeneratedCase): Promise<Trial<Finding>> {
    if (this.#controlsProcess) await this.#context.settler?.quiet();
    const owner = { check: this.#check.id, case: generated.index, controlsProcess: this.#controlsProcess };
    const kit = new CaseKit(this.#context, owner, this.#found);
    this.#kits.set(generated, kit);
    if (this.#suspects) this.#suspects.last = { die: () => this.#die(generated, kit) };
    const { ended, targetProcess } = this.#context;
    const trial = targetProcess
      ? await this.#guarded(generated, kit, targetProcess)
      : await tryCase(ended, () => this.#check.run(kit, generated.value.value));
    if (trial.kind === 'broken' && this.#controlsProcess) this.#timelines.set(trial.finding, kit.timeline);
    // Where the target is paused on purpose, it is no sign of overload that it does not answer.
    const judged = trial.kind === 'broken' && !this.#controlsProcess;
    const unanswered = judged && trial.finding.attempts.at(-1)?.answer.kind === 'timed-out';
    return unanswered ? { ...trial, unanswered } : trial;
  }

  async over(): Promise<boolean> {
    return (await this.#suspects?.convict(this.#context)) ?? false;
  }

  /** Waits until a death can no longer be the doing of the last case. @param ms - how long at most */
  async last(ms: number = aftermath): Promise<void> {
    const { ended, targetProcess } = this.#context;
    if (targetProcess && !ended.aborted) await targetProcess.guardian.untilDeath(ms);
  }

  async tried(generated: GeneratedCase, trial: Trial<Finding>): Promise<void> {
    if (this.#context.targetProcess) return;
    const judged = trial.kind === 'broken' || trial.kind === 'unproven';
    if (!judged || this.#kits.get(generated)?.attempts.at(-1)?.answer.kind !== 'broken') return;
    if (!(await this.over())) await this.#lookForTarget();
  }

  /** Tries a case of a target that the kit brings up again, whatever becomes of it. */
  async #guarded(generated: GeneratedCase, kit: CaseKit, { guardian }: GuardedProcess): Promise<Trial<Finding>> {
    const supervisedCase = new SupervisedReceiverCase(this.#check, generated, kit, {
      alone: () => this.#context.activity.limit === 1,
      convict: (finding) => this.#property?.convict(generated, finding),
      suspect: (reason, ended, finding) => {
        this.#suspected.add(generated);
        if (ended) this.#property?.doubt(generated, reason, finding);
      },
    });
    const run = async (): Promise<Finding | undefined> => {
      await guardian.up(supervisedCase);
      const leave = guardian.enter(supervisedCase);
      try {
        return await this.#check.run(kit, generated.value.value);
      } finally {
        if (!this.#controlsProcess) await this.#lookAfter(kit, supervisedCase, guardian);
        if (this.#suspected.has(generated)) await supervisedCase.linger(longAftermath);
        await guardian.up(supervisedCase).finally(leave);
      }
    };
    const fromStart = (): Promise<Finding | undefined> =>
      run().catch((error: unknown) => this.#notStarted(error, supervisedCase));
    return supervisedCase.judged(await tryCase(this.#context.ended, fromStart));
  }

  /** A target that does not come up again can be asked nothing more: that is certain at once. */
  #notStarted(error: unknown, supervisedCase: SupervisedReceiverCase): Finding {
    if (error instanceof TargetError && !this.#context.ended.aborted) this.#context.end(processFailed(error));
    if (!(error instanceof NotStarted)) throw error;
    this.#context.end(notUpAgain('receiver', error));
    return supervisedCase.notUp(error);
  }

  /** The target is gone, and nothing ran beside this case: that is certain at once. */
  #die(generated: GeneratedCase, { attempts }: CaseKit): void {
    this.#property?.convict(generated, {
      requirements: [this.#check.fatal ?? this.#check.requirements[0]],
      expected: 'the receiver goes on serving',
      actual: 'it stopped taking connections',
      absence: false,
      attempts,
    });
    this.#context.end(targetGone(`after a case of ${this.#check.id}`));
  }

  /** A broken connection may be the first sign of a death. */
  async #lookAfter({ attempts }: CaseKit, supervisedCase: SupervisedReceiverCase, guardian: Guardian): Promise<void> {
    const { activity, deliverer, ended } = this.#context;
    if (ended.aborted || !attempts.some(({ answer }) => answer.kind === 'broken')) return;
    if (!(await deliverer.reachable())) return guardian.missed(() => this.#context.stillThere());
    // A process that ends closes its port a moment after its connections, and the next case must not be blamed for it.
    if (activity.limit === 1 && attempts.some(isBrokenByTarget)) await supervisedCase.linger();
  }

  async #lookForTarget(): Promise<void> {
    if (this.#context.ended.aborted || (await this.#context.stillThere())) return;
    this.#context.end(targetGone(`while checks ran side by side (${this.#check.id} saw it first)`));
  }
}

/** Whether the target broke the connection, not the kit on purpose. */
function isBrokenByTarget({ answer }: Attempt): boolean {
  return answer.kind === 'broken' && !answer.code.endsWith('_BY_KIT');
}
