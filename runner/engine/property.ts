import type { CaseSource, GeneratedCase } from './cases.ts';
import { Deadline } from './ending.ts';
import { FatalCases, type Suspect } from './fatalCases.ts';
import { shrinkBudget, timed, type PropertyResult, type PropertyRun, type Trier, type Trying } from './propertyRun.ts';
import { shrunk } from './shrunk.ts';
import {
  type BrokenTrial,
  isBrokenBeside,
  isHopeless,
  byWeight,
  firstCertain,
  isOpen,
  unseen,
  whyUnconfirmed,
  type Trial,
  type Tried,
  type Failure,
  type Found,
} from './trial.ts';
import type { TargetDeath } from '../process/supervisedCase.ts';

/** Tries of a case that showed nothing, or an absence, before the check gives up on it. */
const tries = 3;

/**
 * A check as a property of the target: many cases, and the smallest one that breaks it. All are tried side by side, as far as
 * the activity lets them. What may have been chance (an absence, a case that showed nothing) is tried again alone with fresh
 * ids by {@link confirm}; {@link shrink} then looks for the smallest case.
 *
 * @typeParam F - what a broken case is described by
 */
export class Property<F extends Found> {
  readonly #run: PropertyRun;
  readonly #trier: Trier<F>;
  readonly #tried: Tried<F>[] = [];
  #failures: Failure<F>[] = [];
  #unproven: string | undefined;
  #unconfirmed: F | undefined;
  #stopped = false;
  #began: number | undefined;
  #cases: CaseSource | undefined;
  /** The number of the first case that was not asked for yet. */
  #reached = 0;
  /** When what is tried again has to be over. */
  #until = new Deadline();
  /** The numbers of those that were asked for, and whose turn did not come; or the target had died of some case of this check, perhaps. */
  readonly #leftOut = new Set<number>();
  readonly fatal: FatalCases<F>;
  /** True once the check has ended. */
  isOver = false;
  #isDeferred = false;

  constructor(run: PropertyRun, trier: Trier<F>) {
    this.#run = run;
    this.#trier = trier;
    this.fatal = new FatalCases(trier);
  }

  /**
   * Tries every case once that was not tried yet. A case is generated when there is a place for it.
   *
   * @param how - `to`: the number of the first case that is left for later (default: all are tried); `until`: no case
   * begins after that; `kindsUntil`: the same for the first case of each kind
   */
  async try(cases: CaseSource, how: Trying = {}): Promise<void> {
    const { to = cases.count, until = new Deadline(), kindsUntil = until } = how;
    this.#cases = cases;
    this.fatal.kinds = cases.kinds;
    const fresh = Array.from({ length: Math.max(0, to - this.#reached) }, (_, place) => this.#reached + place);
    const asked = [...this.#leftOut, ...fresh];
    this.#reached = Math.max(this.#reached, to);
    for (const index of asked) this.#leftOut.add(index);
    // The first cases of all kinds go before the second ones, and each check has its turn.
    await this.#run.activity.runAll(
      asked,
      (index) => this.#attempt(cases, index, index < cases.kinds ? kindsUntil : until),
      (index) => index / cases.kinds,
    );
    await this.#trier.over();
    this.#tried.sort((one, other) => one.case.index - other.case.index);
  }

  /** The target died of this case, and is gone: that is certain. */
  convict(generated: GeneratedCase, finding: F): void {
    this.fatal.convict({ case: generated, finding });
    if (!this.#tried.some((tried) => tried.case === generated))
      this.#tried.push({ case: generated, trial: { kind: 'broken', finding } });
  }

  /** Takes back how a case ended, so that it is tried again: the target died right after it. */
  doubt(generated: GeneratedCase, reason: string): void {
    this.#replace(generated, { kind: 'unproven', reason, final: false });
  }

  /** The target died, perhaps of this case. Until it is known, no further case of the check begins. */
  suspect(generated: GeneratedCase, death: TargetDeath, after: number): void {
    this.fatal.suspect({ case: generated, death, after });
  }

  /** Tries a suspect again. To be called while nothing else is at work. */
  accuse(suspect: Suspect): Promise<void> {
    return this.#run.activity.run(() => this.#accused(suspect));
  }

  /** Looks for the smallest case that the target dies of. To be called while nothing else is at work. @param share - of the usual time */
  shrinkFatal(share: number): Promise<void> {
    const { intensity, shrinkTime = shrinkBudget[intensity] } = this.#run;
    return this.#run.activity.run(() => this.fatal.shrink(shrinkTime * share));
  }

  /** True where cases are left that must be tried again before anything can be said. */
  get unsettled(): boolean {
    return this.#failures.length > 0 || this.#open.length > 0;
  }

  /** True where a case failed in a way that cannot have been chance. */
  get certain(): boolean {
    return this.fatal.failure !== undefined || firstCertain(this.#tried) !== undefined;
  }

  /** True where a case failed because no answer came in time. */
  get unanswered(): boolean {
    return this.#tried.some(({ trial }) => trial.kind === 'broken' && trial.unanswered === true);
  }

  /** True where more may be known later: the time was over, the kit was late, or the target died of something else meanwhile. */
  get isDeferred(): boolean {
    if (this.#failures.length > 0 || this.fatal.failure !== undefined) return false;
    return this.#isDeferred || this.#cutShort().cutShort !== undefined;
  }

  /** Tries again what may have been chance. Stops at the first failure that is certain, and tries nothing after the deadline. */
  async confirm(until = new Deadline()): Promise<void> {
    this.#until = until;
    if (this.#failures.length > 0) return;
    if (this.#isDeferred) this.#unproven = this.#unconfirmed = undefined;
    this.#isDeferred = false;
    await this.#confirmAbsences();
    const unproven = this.#open.flatMap((tried) => (isOpen(tried.trial) ? [{ ...tried, trial: tried.trial }] : []));
    // One that stays open leaves the check open, whatever becomes of the others.
    const goesOn = () => unproven.length > 0 && this.#failures.length === 0 && this.#unproven === undefined;
    for (let width = 1; goesOn(); width *= 2) {
      const group = unproven.splice(0, width);
      await Promise.all(group.map((tried) => this.#confirmUnproven(tried.case, tried.trial.reason)));
    }
  }

  /** Looks for the smallest case that fails in the same way, until the deadline at most. */
  async shrink(until = new Deadline()): Promise<void> {
    this.#until = until;
    const [first] = this.#failures;
    if (!first) return;
    const { intensity, shrinkWidth: width } = this.#run;
    const { shrinkTime = (this.#run.timed ? timed.shrinkBudget : shrinkBudget)[intensity] } = this.#run;
    const ms = Math.min(shrinkTime, until.left);
    const time = Deadline.in(ms);
    const smallest = await shrunk(first, (candidate) => this.#again(candidate, time), {
      ms,
      width,
      tries: this.#run.timed ? timed.shrinkTries : 1,
    });
    const again = smallest !== first && smallest.finding.absence ? await this.#recurs(smallest.case) : undefined;
    if (again === undefined) this.#failures = [smallest];
    else if (again.kind === 'broken') this.#failures = [{ case: smallest.case, finding: again.finding }];
  }

  /** When its first case began, in milliseconds of the run. */
  get began(): number | undefined {
    return this.#began;
  }

  get result(): PropertyResult<F> {
    const { aborted: ended } = this.#run.ended;
    const failure = this.fatal.reported(
      this.#failures[0] ?? (ended ? firstCertain(this.#tried, this.#run.isMust) : undefined),
    );
    const unconfirmed = this.#unconfirmed ?? (ended ? byWeight(this.#tried).flat()[0]?.trial.finding : undefined);
    const errored = this.#tried.find(({ trial }) => trial.kind === 'errored')?.trial;
    return {
      cases: this.#tried.length,
      tried: this.#tried,
      planned: this.#cases?.count ?? 0,
      ended,
      ...this.#cutShort(),
      ...(failure && { failure }),
      ...(unconfirmed && { unconfirmed }),
      ...unseen(this.#tried),
      ...this.#undecided(),
      ...(this.#tried.some(({ trial }) => trial.unusable) && { unusable: true }),
      ...(errored?.kind === 'errored' && { error: errored.error }),
    };
  }

  #cutShort(): Pick<PropertyResult<F>, 'cutShort'> {
    if (this.#cases === undefined || this.#stopped || this.#leftOut.size === 0) return {};
    const { ofEachKind: kinds, count: planned } = this.#cases;
    const untried = [...this.#leftOut].filter((index) => index < kinds).length;
    return { cutShort: { planned, kinds, untried } };
  }

  /** Cases that must be tried again before anything can be said: all but those of a kind of which the target dies. */
  get #open(): readonly Tried<F>[] {
    return this.#tried.filter(
      ({ case: one, trial }) => (trial.kind === 'broken' || isOpen(trial)) && !this.fatal.has(one),
    );
  }

  #accused(suspect: Suspect): Promise<void> {
    const replace = (trial: Trial<F>): void => this.#replace(suspect.case, trial);
    return this.fatal.accuse(suspect, this.#run.timed ? timed.recurrences : 1, replace);
  }

  #replace(generated: GeneratedCase, trial: Trial<F>): void {
    const place = this.#tried.findIndex((tried) => tried.case === generated);
    if (place >= 0 && trial.kind !== 'ended') this.#tried[place] = { case: generated, trial };
  }

  #undecided(): { readonly unproven?: string } {
    const late = this.#tried.find(({ trial }) => trial.kind === 'unproven' && trial.final)?.trial;
    const unproven = this.#unproven ?? (late?.kind === 'unproven' ? late.reason : undefined);
    return unproven === undefined ? {} : { unproven };
  }

  async #attempt(cases: CaseSource, index: number, until: Deadline): Promise<void> {
    if (this.#stopped || until.over || this.#run.ended.aborted || (await this.#trier.over())) return;
    if (this.fatal.suspects.length > 0) return;
    this.#leftOut.delete(index); // A later phase may begin while it waits.
    if (this.fatal.has({ index }) || (this.fatal.areEnough && this.#run.binding !== true)) return;
    this.#began ??= this.#run.elapsed();
    const generated = cases.at(index);
    this.#note(generated, await this.#trier.try(generated));
    const own = this.fatal.suspects.find((suspect) => suspect.case === generated && suspect.after === 0);
    if (own && this.#trier.inTurn) await this.#accused(own);
  }

  #note(generated: GeneratedCase, trial: Trial<F>): void {
    if (isHopeless(trial)) this.#stopped = true;
    if (trial.kind !== 'ended') this.#tried.push({ case: generated, trial });
    if (trial.kind === 'held') this.#trier.forget?.(generated);
    if (trial.kind === 'ended') this.#leftOut.add(generated.index);
    this.fatal.note(generated, trial);
  }

  /**
   * What is broken: the first cases alone, then in growing groups, for where those decide nothing, the others wait together.
   * Those that depend on the moment come one at a time.
   */
  async #confirmAbsences(): Promise<void> {
    for (const failed of byWeight(this.#open, this.#run.isMust))
      for (let from = 0, width = 1; from < failed.length && this.#failures.length === 0;) {
        await Promise.all(failed.slice(from, from + width).map((each) => this.#confirmBroken(each.case, each.trial)));
        from += width;
        if (this.#run.timed !== true && from >= tries) width = Math.min(2 * width, this.#run.shrinkWidth);
      }
    this.#failures.sort((one, other) => one.case.index - other.case.index);
  }

  async #confirmBroken(generated: GeneratedCase, { finding, doubted }: BrokenTrial<F>): Promise<void> {
    // Where the moment decides, another case that broke the same requirement is a recurrence as good as any.
    const isSeenTwice = this.#run.timed === true && isBrokenBeside(this.#tried, generated, finding);
    if (!finding.absence || isSeenTwice) return void this.#failures.push({ case: generated, finding });
    let trial = await this.#recurs(generated);
    if (trial.kind === 'broken' && finding.effects) trial = await this.#recurs(generated);
    if (trial.kind === 'held' && doubted) return this.#replace(generated, trial);
    if (trial.kind === 'broken') return void this.#failures.push({ case: generated, finding: trial.finding });
    if (trial.kind !== 'held') this.#unconfirmed ??= finding;
    this.#leaveOpen(`${whyUnconfirmed(trial, this.#run.ended)}: ${finding.actual}`, trial);
  }

  #leaveOpen(reason: string, last: Trial<F> | undefined): void {
    this.#unproven ??= reason;
    this.#isDeferred ||=
      last?.kind === 'ended' || (last?.kind === 'unproven' && (last.doubted ?? last.disturbed) === true);
  }

  /** Tries a case again that may have failed by chance: until it is broken once more, or as often as it deserves. */
  async #recurs(generated: GeneratedCase): Promise<Trial<F>> {
    const most = this.#run.timed ? timed.recurrences : tries;
    let trial = await this.#again(generated);
    for (let tried = 1; tried < most && (isOpen(trial) || (this.#run.timed && trial.kind === 'held')); tried++)
      trial = await this.#again(generated);
    return trial;
  }

  async #confirmUnproven(generated: GeneratedCase, reason: string): Promise<void> {
    let trial: Trial<F> | undefined;
    for (let tried = 1; tried < tries && this.#failures.length === 0; tried++) {
      trial = await this.#again(generated);
      if (trial.kind === 'held' || trial.kind === 'unobservable') return this.#replace(generated, trial);
      if (trial.kind === 'broken') return this.#confirmBroken(generated, trial);
      if (trial.kind === 'ended') break;
    }
    if (this.#failures.length === 0) this.#leaveOpen(trial?.kind === 'unproven' ? trial.reason : reason, trial);
  }

  /** @param until - a case that has no place before then is not tried. Default: when what is tried again has to be over */
  #again(generated: GeneratedCase, until = this.#until): Promise<Trial<F>> {
    return this.#run.activity.run(async () => (until.over ? { kind: 'ended' } : await this.#trier.try(generated)));
  }
}
