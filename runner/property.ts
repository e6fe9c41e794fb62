import type { Finding, ReceiverCheck } from '../suites/check.ts';
import type { Draw } from '../suites/draw.ts';
import { caseSource, shrunkCases, type GeneratedCase } from './cases.ts';
import type { Intensity } from './plan.ts';
import { targetGone, type ControlResult, type ReceiverContext } from './receiverContext.ts';
import { CaseKit } from './receiverKit.ts';
import type { Suspects } from './suspects.ts';
import { tryCase, type Trial } from './trial.ts';

/** A case and how its last try ended. */
interface Tried {
  readonly case: GeneratedCase;
  readonly trial: Trial;
}

/** A case that shows a requirement broken. */
export interface Failure {
  readonly case: GeneratedCase;
  readonly finding: Finding;
}

/** What a check has shown, before it is put in words. */
export interface PropertyResult {
  readonly cases: number;
  readonly failure?: Failure;
  /** How many cases failed beside the one shown. */
  readonly failures: number;
  /** Why it is not settled, where nothing failed. */
  readonly unproven?: string;
  readonly error?: unknown;
  readonly ended: boolean;
}

/** Tries of a case that showed nothing, or an absence, before the check gives up on it. */
const tries = 3;
/** Milliseconds that one counterexample may take to shrink. */
const shrinkBudget = { quick: 2_000, standard: 8_000, thorough: 60_000 } as const satisfies Record<Intensity, number>;

/**
 * A check as a property of the target: many cases, and the smallest one that breaks it.
 *
 * All cases are tried side by side, as far as the activity lets them. What may have been chance (an absence, a case
 * that showed nothing) is tried again alone with fresh ids by {@link confirm}; {@link shrink} then looks for the
 * smallest case.
 */
export class Property {
  readonly #context: ReceiverContext;
  readonly #found: ControlResult;
  readonly #check: ReceiverCheck;
  readonly #tried: Tried[] = [];
  #failures: Failure[] = [];
  #unproven: string | undefined;
  readonly #suspects: Suspects | undefined;
  #stopped = false;
  #began: number | undefined;

  /** @param suspects - where its cases run one at a time: the case that the target dies of is known then */
  constructor(context: ReceiverContext, found: ControlResult, check: ReceiverCheck, suspects?: Suspects) {
    this.#context = context;
    this.#found = found;
    this.#check = check;
    this.#suspects = suspects;
  }

  /** Tries every case once. A case is generated when there is a place for it. */
  async try(draw: Draw): Promise<void> {
    const { seed, intensity } = this.#context.plan;
    const cases = caseSource(this.#check, draw, seed, intensity);
    await Promise.all(Array.from({ length: cases.count }, (_, index) => this.#attempt(() => cases.at(index))));
    await this.#suspects?.convict(this.#context);
    this.#tried.sort((one, other) => one.case.index - other.case.index);
  }

  /** True where cases are left that must be tried again before anything can be said. */
  get unsettled(): boolean {
    return (
      this.#failures.length > 0 || this.#tried.some(({ trial }) => trial.kind === 'broken' || trial.kind === 'unproven')
    );
  }

  /** True where a case failed because no answer came in time. */
  get unanswered(): boolean {
    return this.#tried.some(({ trial }) => trial.kind === 'broken' && isUnanswered(trial.finding));
  }

  /** Tries again what may have been chance. Stops at the first failure that is certain. */
  async confirm(): Promise<void> {
    if (this.#failures.length > 0) return;
    for (const tried of this.#tried) {
      if (tried.trial.kind === 'broken') await this.#confirmBroken(tried.case, tried.trial.finding);
      if (this.#failures.length > 0) return;
    }
    const unproven = this.#tried.flatMap((tried) =>
      tried.trial.kind === 'unproven' ? [{ ...tried, trial: tried.trial }] : [],
    );
    await Promise.all(unproven.map((tried) => this.#confirmUnproven(tried.case, tried.trial.reason)));
  }

  /** Looks for the smallest case that fails in the same way. */
  async shrink(): Promise<void> {
    const [first] = this.#failures;
    if (!first) return;
    const smallest = await shrunk(first, (candidate) => this.#again(candidate), {
      ms: shrinkBudget[this.#context.plan.intensity],
      width: this.#check.needs.includes('probe') ? 24 : 6,
    });
    const certain =
      smallest === first || !smallest.finding.absence || (await this.#again(smallest.case)).kind === 'broken';
    if (certain) this.#failures = [smallest];
  }

  /** When its first case began, in milliseconds of the run. */
  get began(): number | undefined {
    return this.#began;
  }

  get result(): PropertyResult {
    const [failure] = this.#failures;
    const errored = this.#tried.find(({ trial }) => trial.kind === 'errored')?.trial;
    return {
      cases: this.#tried.length,
      failures: this.#tried.filter(({ trial }) => trial.kind === 'broken').length,
      ended: this.#context.ended.aborted,
      ...(failure && { failure }),
      ...(this.#unproven !== undefined && { unproven: this.#unproven }),
      ...(errored?.kind === 'errored' && { error: errored.error }),
    };
  }

  async #attempt(generate: () => GeneratedCase): Promise<void> {
    await this.#context.activity.run(async () => {
      if (this.#stopped || this.#context.ended.aborted || (await this.#suspects?.convict(this.#context))) return;
      this.#began ??= this.#context.elapsed();
      const generated = generate();
      const kit = this.#kitFor(generated);
      if (this.#suspects) this.#suspects.last = { die: () => this.#die(generated, kit) };
      const trial = await tryCase(this.#context, kit, this.#check, generated);
      if (trial.kind === 'broken' && isUnanswered(trial.finding)) this.#stopped = true;
      if (trial.kind !== 'ended') this.#tried.push({ case: generated, trial });
      if (trial.connectionBroken && !(await this.#suspects?.convict(this.#context))) await this.#lookForTarget();
    });
  }

  /** The target is gone, and nothing ran beside this case: that is certain at once. */
  #die(generated: GeneratedCase, kit: CaseKit): void {
    const trial = this.#tried.find((tried) => tried.case === generated)?.trial;
    const requirements = [this.#check.fatal ?? this.#check.requirements[0]];
    const finding: Finding = {
      requirements,
      expected: 'the receiver goes on serving',
      actual: 'it stopped taking connections',
      absence: false,
      attempts: kit.attempts,
    };
    this.#failures = [{ case: generated, finding: trial?.kind === 'broken' ? trial.finding : finding }];
    this.#context.end(targetGone(`after a case of ${this.#check.id}`));
  }

  async #lookForTarget(): Promise<void> {
    if (this.#context.ended.aborted || (await this.#context.stillThere())) return;
    this.#context.end(targetGone(`while checks ran side by side (${this.#check.id} saw it first)`));
  }

  #kitFor({ index }: GeneratedCase): CaseKit {
    return new CaseKit(this.#context, { check: this.#check.id, case: index }, this.#found);
  }

  async #confirmBroken(generated: GeneratedCase, finding: Finding): Promise<void> {
    if (!finding.absence) return void this.#failures.push({ case: generated, finding });
    const trial = await this.#again(generated);
    if (trial.kind === 'broken') this.#failures.push({ case: generated, finding: trial.finding });
    else if (trial.kind === 'ended') this.#unproven ??= 'the run ended before the failure could be confirmed';
    else this.#unproven ??= `a failure did not recur with fresh ids: ${finding.actual}`;
  }

  async #confirmUnproven(generated: GeneratedCase, reason: string): Promise<void> {
    for (let tried = 1; tried < tries; tried++) {
      const trial = await this.#again(generated);
      if (trial.kind === 'held') return;
      if (trial.kind === 'broken') return this.#confirmBroken(generated, trial.finding);
    }
    this.#unproven ??= reason;
  }

  #again(generated: GeneratedCase): Promise<Trial> {
    const { activity } = this.#context;
    return activity.run(() => tryCase(this.#context, this.#kitFor(generated), this.#check, generated));
  }
}

/** Takes smaller failing neighbours as long as there are any, a few at a time, the first of each few that fails. */
async function shrunk(
  failure: Failure,
  attempt: (candidate: GeneratedCase) => Promise<Trial>,
  { ms, width }: { readonly ms: number; readonly width: number },
): Promise<Failure> {
  const until = performance.now() + ms;
  let smallest = failure;
  search: for (;;) {
    const candidates = shrunkCases(smallest.case);
    for (;;) {
      const few = nextFew(candidates, width);
      if (few.length === 0 || performance.now() > until) return smallest;
      const trials = await Promise.all(few.map(attempt));
      const place = trials.findIndex((trial) => trial.kind === 'broken' && sameCause(trial.finding, failure.finding));
      const trial = trials[place];
      if (trial?.kind !== 'broken') continue;
      smallest = { case: few[place]!, finding: trial.finding };
      continue search;
    }
  }
}

/** Not `Iterator.prototype.take`, which closes the iterator behind it. */
function nextFew<T>(iterator: Iterator<T>, count: number): readonly T[] {
  const few: T[] = [];
  while (few.length < count) {
    const next = iterator.next();
    if (next.done) break;
    few.push(next.value);
  }
  return few;
}

function isUnanswered({ attempts }: Finding): boolean {
  return attempts.at(-1)?.answer.kind === 'timed-out';
}

function sameCause(one: Finding, other: Finding): boolean {
  return one.requirements[0] === other.requirements[0] && one.absence === other.absence;
}
