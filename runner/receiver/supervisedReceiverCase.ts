import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { NotStarted } from '../../suites/processControl.ts';
import type { GeneratedCase } from '../engine/cases.ts';
import type { SupervisedCase } from '../process/guardian.ts';
import type { CaseKit } from './receiverKit.ts';
import type { Trial } from '../engine/trial.ts';

/** The run that a case is part of, as far as the death of the target concerns it. */
interface Surroundings {
  /** Whether cases run one at a time at present. */
  alone(): boolean;
  /** Settles the check by this case. */
  convict(finding: Finding): void;
  /**
   * The target died of this case, perhaps; where the case has ended already, it must be tried again.
   *
   * @param finding - what it would show; nothing where something else was at work
   */
  suspect(reason: string, ended: boolean, finding?: Finding): void;
}

/** Milliseconds after a case in which a death may still be its doing. */
export const aftermath = 300;

/** The same where the target died of that case before, or seemed to: where it is slow, it dies slowly. */
export const longAftermath = 1000;

/** One try of a case of a receiver that the kit brings up again where it dies. */
export class SupervisedReceiverCase implements SupervisedCase {
  readonly check: string;
  readonly case: number;
  readonly controlsProcess: boolean;
  readonly #check: ReceiverCheck;
  readonly #kit: CaseKit;
  readonly #surroundings: Surroundings;
  /** Where the target died meanwhile: whether nothing else was at work. */
  #suspected: { readonly alone: boolean } | undefined;
  #reported: () => void = () => {};
  #ended = false;

  constructor(check: ReceiverCheck, generated: GeneratedCase, kit: CaseKit, surroundings: Surroundings) {
    this.check = check.id;
    this.case = generated.index;
    this.controlsProcess = check.needs.includes('process-control');
    this.#check = check;
    this.#kit = kit;
    this.#surroundings = surroundings;
  }

  get waiting(): boolean {
    return this.#kit.waiting;
  }

  suspected(): void {
    const alone = this.#surroundings.alone();
    this.#surroundings.suspect(doubt, this.#ended, alone ? this.#endedByItself() : undefined);
    this.#suspected ??= { alone };
    this.#reported();
  }

  /** Waits whether the target dies of what the case has done. @param ms - how long at most */
  async linger(ms: number = aftermath): Promise<void> {
    if (this.#suspected) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#reported = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  convicted(error: NotStarted): void {
    this.#surroundings.convict(this.notUp(error));
  }

  /** The finding about a target that was ended in this case and does not come up again. */
  notUp({ message }: NotStarted): Finding {
    return this.#fatal('the receiver comes up again', `it does not: ${message}`, false);
  }

  /**
   * How the try ended, the death of the target considered. Alone, it counts as what the target died of, and must recur;
   * beside others it shows nothing until it is tried again alone.
   */
  judged(trial: Trial<Finding>): Trial<Finding> {
    this.#ended = true;
    const certain = trial.kind === 'broken' && !trial.finding.absence;
    if (!this.#suspected || certain || trial.kind === 'ended' || trial.kind === 'errored') return trial;
    if (!this.#suspected.alone) return { kind: 'unproven', reason: doubt, final: false };
    return { kind: 'broken', finding: this.#endedByItself(), fatal: true };
  }

  #endedByItself(): Finding {
    return this.#fatal('the receiver goes on serving', 'it ended by itself', true);
  }

  #fatal(expected: string, actual: string, absence: boolean): Finding {
    const requirements = [this.#check.fatal ?? this.#check.requirements[0]];
    const { attempts } = this.#kit;
    // What came after the first broken connection reached nobody, unless the case itself brought that about.
    const last = this.controlsProcess ? -1 : attempts.findIndex(({ answer }) => answer.kind === 'broken');
    const decisive = last === -1 ? attempts : attempts.slice(0, last + 1);
    return { requirements, expected, actual, absence, attempts: decisive };
  }
}

const doubt = 'the receiver ended by itself while this case was at work, or right after';
