import type { NotStarted } from '../../suites/processControl.ts';
import type { SupervisedCase, TargetDeath } from '../process/supervisedCase.ts';
import type { Found, Trial } from './trial.ts';
import type { OpenCase, SideCheck } from './side.ts';
import type { Subject } from './savedCase.ts';

/** The run that a case is part of, as far as the death of the target concerns it. */
export interface Surroundings<F> {
  /** Whether nothing else can be what the target dies of. */
  readonly alone: boolean;
  /** Whether cases run one at a time at present. */
  readonly inTurn: boolean;
  /** Whether the kit starts the target. */
  readonly startsIt: boolean;
  /** Whether the target died in this way before, and it is known what of. */
  isKnown(death: TargetDeath): boolean;
  /** Whether the check has ended. */
  isOver(): boolean;
  /** Settles the check by this case. */
  convict(finding: F): void;
  /** The target died, perhaps of this case. @param after - milliseconds for which it had not been at work */
  suspect(death: TargetDeath, after: number): void;
  /** The target died after this case had ended: it shows nothing. @param finding - what it shows, where it was alone */
  doubt(reason: string, finding?: F): void;
  /** Keeps this case in a file. @returns the shell line that tries it again; nothing where no file is written */
  keep(finding: F): string | undefined;
}

/** One try of a case of a target that may die of it. */
export class SupervisedTry<F extends Found> implements SupervisedCase {
  readonly check: string;
  readonly case: number;
  readonly controlsProcess: boolean;
  readonly #subject: Subject;
  readonly #open: OpenCase<F>;
  readonly #surroundings: Surroundings<F>;
  /** Where the target died meanwhile. */
  #death: { readonly death: TargetDeath; readonly alone: boolean } | undefined;
  #ended = false;
  /** What the case has shown that cannot have been chance: a death takes nothing of it back. */
  #certain: F | undefined;
  /** What it has shown, certain or not. */
  #found: F | undefined;

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

  get waitingSince(): number | undefined {
    return this.#open.waitingSince;
  }

  get inTurn(): boolean {
    return this.#surroundings.inTurn;
  }

  get isOver(): boolean {
    return this.#surroundings.isOver();
  }

  get reached(): boolean {
    return this.#open.answers.some((answer) => answer.kind !== 'broken' || answer.code !== 'ECONNREFUSED');
  }

  suspected(death: TargetDeath, after: number, isFirst: boolean): void {
    const { inTurn } = this.#surroundings;
    const isSure = this.#surroundings.alone || (inTurn && after === 0 && this.#surroundings.isKnown(death));
    const alone = isSure && isFirst;
    this.#death ??= { death, alone };
    if (!alone) this.#surroundings.suspect(death, after);
    if (this.#ended && !this.#certain)
      this.#surroundings.doubt(this.#doubt(death), alone ? this.#died(death) : undefined);
  }

  disturbed(death: TargetDeath): void {
    this.#death ??= { death, alone: false };
  }

  convicted(death: TargetDeath, error: NotStarted): void {
    const { byKit, message } = error;
    this.#surroundings.convict(
      this.#died(death, byKit ? `, and does not come up again: ${message}` : `, and it ${message}`),
    );
  }

  hung(how: string, sure: boolean): void {
    const marks = { absence: false, died: true, hung: sure ? 'of it' : 'perhaps' } as const;
    const expected = `the ${this.#subject} goes on answering`;
    const actual = `it hung ${sure ? 'in this case' : 'while several cases were at work'}: ${how}`;
    const fatal = this.#open.fatal({ expected, actual, ...marks });
    // What one of several shows beside it may be the doing of another.
    const found = sure ? this.#found : undefined;
    if (found === undefined) return this.#surroundings.convict(fatal);
    const requirements = [...new Set([...found.requirements, ...fatal.requirements])];
    this.#surroundings.convict({ ...found, requirements, actual: `${found.actual}; ${how}`, ...marks });
  }

  spent(actual: string): void {
    const expected = `the ${this.#subject} goes on serving, whatever it had to refuse before`;
    this.#surroundings.convict(this.#open.fatal({ expected, actual, absence: false, died: true, hung: 'refuses all' }));
  }

  keep(death: TargetDeath): string | undefined {
    return this.#surroundings.keep(this.#died(death));
  }

  /** The finding about a target that was ended in this case and does not come up again. */
  notUp({ message }: NotStarted): F {
    const expected = `the ${this.#subject} comes up again`;
    return this.#open.fatal({ expected, actual: `it did not come up again: ${message}`, absence: false });
  }

  /** How the try ended, the death of the target considered: what it took with it shows nothing about anything else. */
  judged(trial: Trial<F>): Trial<F> {
    this.#ended = true;
    if (trial.kind === 'broken') this.#found = trial.finding;
    if (trial.kind === 'broken' && !trial.finding.absence) this.#certain = trial.finding;
    if (!this.#death || trial.kind === 'ended' || trial.kind === 'errored') return trial;
    const { death, alone } = this.#death;
    if (alone) return { kind: 'broken', finding: this.#died(death), fatal: death };
    if (this.#certain) return trial;
    return { kind: 'unproven', reason: this.#doubt(death), final: false, disturbed: true };
  }

  #died({ how, hung }: TargetDeath, more = ''): F {
    const expected = `the ${this.#subject} goes on serving`;
    const after = more === '' && !this.#surroundings.startsIt ? ', until something started it again' : more;
    const marks = { died: true as const, ...(hung && { hung: 'of it' as const }) };
    const fatal = this.#open.fatal({ expected, actual: `it ${how}${after}`, absence: more === '', ...marks });
    if (!this.#certain) return fatal;
    const requirements = [...new Set([...this.#certain.requirements, ...fatal.requirements])];
    return { ...this.#certain, requirements, actual: `${this.#certain.actual}; then ${fatal.actual}`, ...marks };
  }

  #doubt({ how }: TargetDeath): string {
    return `the ${this.#subject} ${how}, while this case was at work or its effects were awaited`;
  }
}
