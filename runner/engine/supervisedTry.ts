import type { NotStarted } from '../../suites/processControl.ts';
import type { SupervisedCase } from '../process/guardian.ts';
import { aftermath } from './death.ts';
import type { Found } from './failure.ts';
import type { OpenCase, SideCheck } from './side.ts';
import type { Subject } from './savedCase.ts';
import type { Trial } from './trial.ts';

/** The run that a case is part of, as far as the death of the target concerns it. */
interface Surroundings<F> {
  /** Whether cases run one at a time at present. */
  alone(): boolean;
  /** Settles the check by this case. */
  convict(finding: F): void;
  /**
   * The target died of this case, perhaps; where the case has ended already, it must be tried again.
   *
   * @param finding - what it would show; nothing where something else was at work
   */
  suspect(reason: string, ended: boolean, finding?: F): void;
}

/** One try of a case whose target the kit brings up again where it dies. */
export class SupervisedTry<F extends Found> implements SupervisedCase {
  readonly check: string;
  readonly case: number;
  readonly controlsProcess: boolean;
  readonly #subject: Subject;
  readonly #open: OpenCase<F>;
  readonly #surroundings: Surroundings<F>;
  /** Where the target died meanwhile: whether nothing else was at work. */
  #suspected: { readonly alone: boolean } | undefined;
  #reported: () => void = () => {};
  #ended = false;

  constructor(
    subject: Subject,
    { id, needs }: Pick<SideCheck<never>, 'id' | 'needs'>,
    index: number,
    open: OpenCase<F>,
    surroundings: Surroundings<F>,
  ) {
    this.check = id;
    this.case = index;
    this.controlsProcess = needs.includes('process-control');
    this.#subject = subject;
    this.#open = open;
    this.#surroundings = surroundings;
  }

  get waiting(): boolean {
    return this.#open.waiting;
  }

  suspected(): void {
    const alone = this.#surroundings.alone();
    this.#surroundings.suspect(this.#doubt, this.#ended, alone ? this.#endedByItself() : undefined);
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
  notUp({ message }: NotStarted): F {
    const expected = `the ${this.#subject} comes up again`;
    return this.#open.fatal({ expected, actual: `it did not come up again: ${message}`, absence: false });
  }

  /** How the try ended, the death of the target considered. Beside others it shows nothing until it is tried again alone. */
  judged(trial: Trial<F>): Trial<F> {
    this.#ended = true;
    const certain = trial.kind === 'broken' && !trial.finding.absence;
    if (!this.#suspected || certain || trial.kind === 'ended' || trial.kind === 'errored') return trial;
    if (!this.#suspected.alone) return { kind: 'unproven', reason: this.#doubt, final: false };
    return { kind: 'broken', finding: this.#endedByItself(), fatal: true };
  }

  #endedByItself(): F {
    const expected = `the ${this.#subject} goes on serving`;
    return this.#open.fatal({ expected, actual: 'it ended by itself', absence: true });
  }

  get #doubt(): string {
    return `the ${this.#subject} ended by itself while this case was at work, or right after`;
  }
}
