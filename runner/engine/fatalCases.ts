import type { TargetDeath } from '../process/supervisedCase.ts';
import type { GeneratedCase } from './cases.ts';
import type { Failure, Found, Trial } from './trial.ts';
import { shrunk } from './shrunk.ts';

/**
 * Kinds of case of one check that the target dies of, until no further case of it begins, unless it is about a MUST: each costs a
 * start, and the first thing to do is known. What the others would show comes out once that is fixed.
 */
const enough = 5;

/** A case that the target may have died of. */
export interface Suspect {
  readonly case: GeneratedCase;
  readonly death: TargetDeath;
  /** Milliseconds for which the case had not been at work by then. */
  readonly after: number;
}

/** How a case is tried that the target may die of. */
export interface FatalTrier<F> {
  /** Tries a case while nothing else is at work, and waits for a death. @param after - see {@link Suspect} */
  again(generated: GeneratedCase, after: number): Promise<Trial<F>>;
  /** It is known what the target died of. */
  explain(death: TargetDeath): void;
  isExplained(death: TargetDeath): boolean;
}

/** The cases of one check that the target dies of, or may have died of. */
export class FatalCases<F extends Found> {
  readonly #trier: FatalTrier<F>;
  /** How many kinds of case there are, and of which the target dies. */
  #kinds = 1;
  readonly #deadly = new Set<number>();
  #suspects: readonly Suspect[] = [];
  #failure: Failure<F> | undefined;
  #isShrunk = false;

  constructor(trier: FatalTrier<F>) {
    this.#trier = trier;
  }

  set kinds(kinds: number) {
    this.#kinds = kinds;
  }

  /** The plainest case that the target died of (the first of its check), as small as it is known by now. */
  get failure(): Failure<F> | undefined {
    return this.#failure;
  }

  /** What is reported of a check: what was found, and that the target died, where both are certain. */
  reported(found: Failure<F> | undefined): Failure<F> | undefined {
    const fatal = this.#failure;
    if (found === undefined || fatal === undefined) return found ?? fatal;
    const breaks = (one: Failure<F>) => one.finding.requirements;
    const isPlainer = found.case.index < fatal.case.index;
    if ((!isPlainer || found.finding.absence) && breaks(found).every((id) => breaks(fatal).includes(id))) return fatal;
    if (found.finding.absence) return found;
    const requirements = [...new Set([...breaks(found), ...breaks(fatal)])];
    const actual = `${found.finding.actual}; and after a case like this ${fatal.finding.actual}`;
    const { hung } = fatal.finding;
    return { ...found, finding: { ...found.finding, requirements, actual, died: true, ...(hung && { hung }) } };
  }

  /** Those of which it is not known whether the target died of them. */
  get suspects(): readonly Suspect[] {
    return this.#suspects.filter(({ death }) => !this.#trier.isExplained(death));
  }

  /** True where a smaller case was not looked for yet. */
  get isFresh(): boolean {
    return this.#failure !== undefined && !this.#isShrunk;
  }

  /** Whether the target dies of cases of this kind. */
  has({ index }: Pick<GeneratedCase, 'index'>): boolean {
    return this.#deadly.has(index % this.#kinds);
  }

  /** Whether the target dies of so many kinds of case that the others can wait. */
  get areEnough(): boolean {
    return this.#deadly.size >= enough;
  }

  suspect(suspect: Suspect): void {
    this.#suspects = [...this.#suspects, suspect];
  }

  /** Nothing is suspected any more. */
  acquit(): void {
    this.#suspects = [];
  }

  /** No smaller case is looked for: the target dies so late of each that others would be at work by then. */
  keep(): void {
    this.#isShrunk = true;
  }

  /** The target died of this case, and is gone: that is certain. */
  convict(failure: Failure<F>): void {
    this.#failure = failure;
  }

  /** Takes it that the target died of a case, where it did. @returns whether it did */
  note(generated: GeneratedCase, trial: Trial<F>): boolean {
    if (trial.kind !== 'broken' || !trial.fatal) return false;
    this.#deadly.add(generated.index % this.#kinds);
    if (!this.#isShrunk && generated.index < (this.#failure?.case.index ?? Infinity))
      this.#failure = { case: generated, finding: trial.finding };
    this.#trier.explain(trial.fatal);
    return true;
  }

  /**
   * Tries a suspect again, unless it is known by now what the target died of; once more where the target died meanwhile and
   * another case may have been the cause. To be called while nothing else is at work.
   *
   * @param most - how often, where it does not die
   * @param tell - called with how it ended
   */
  async accuse(
    { case: generated, death, after }: Suspect,
    most: number,
    tell: (trial: Trial<F>) => void,
  ): Promise<void> {
    if (this.has(generated)) this.#trier.explain(death);
    let last: Trial<F> | undefined;
    const mayBeOfAnother = (): boolean => last?.kind === 'unproven' && last.disturbed === true;
    for (let tried = 0; tried < most || (tried === most && mayBeOfAnother()); tried++) {
      if (this.#trier.isExplained(death)) return;
      last = await this.#trier.again(generated, after);
      tell(last);
      if (this.note(generated, last)) this.#trier.explain(death);
    }
  }

  /** Looks for the smallest case, for so many milliseconds at most. To be called while nothing else is at work. */
  async shrink(ms: number): Promise<void> {
    if (this.#failure === undefined) return;
    this.#isShrunk = true;
    const again = (candidate: GeneratedCase): Promise<Trial<F>> => this.#trier.again(candidate, 0);
    this.#failure = await shrunk(this.#failure, again, { ms, width: 1, tries: 1 });
  }
}
