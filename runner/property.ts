import type { Finding, ReceiverCheck } from '../suites/check.ts';
import type { Draw } from '../suites/draw.ts';
import { generateCases, shrunkCases, type GeneratedCase } from './cases.ts';
import { targetGone, type ControlResult, type ReceiverContext } from './receiverContext.ts';
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
/** Milliseconds and tries that one counterexample may take to shrink. */
const shrinkBudget = { ms: 12_000, tries: 800 } as const;

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
  readonly #alone: boolean;
  #stopped = false;

  /** @param alone - true where nothing runs beside its cases, so that a target that dies does so because of them */
  constructor(context: ReceiverContext, found: ControlResult, check: ReceiverCheck, alone: boolean) {
    this.#context = context;
    this.#found = found;
    this.#check = check;
    this.#alone = alone;
  }

  /** Tries every case once. */
  async try(draw: Draw): Promise<void> {
    const { seed, intensity } = this.#context.plan;
    const cases = [...generateCases(this.#check, draw, seed, intensity)];
    await Promise.all(
      cases.map(async (generated) => {
        const trial = await this.#attempt(generated);
        if (trial) this.#tried.push({ case: generated, trial });
      }),
    );
    this.#tried.sort((one, other) => one.case.index - other.case.index);
  }

  /** True where cases are left that must be tried again before anything can be said. */
  get unsettled(): boolean {
    return this.#tried.some(({ trial }) => trial.kind === 'broken' || trial.kind === 'unproven');
  }

  /** Tries again what may have been chance. Stops at the first failure that is certain. */
  async confirm(): Promise<void> {
    if (this.#failures.length > 0) return;
    for (const tried of this.#tried) {
      if (tried.trial.kind === 'broken') await this.#confirmBroken(tried.case, tried.trial.finding);
      if (this.#failures.length > 0) return;
    }
    for (const tried of this.#tried) {
      if (tried.trial.kind === 'unproven') await this.#confirmUnproven(tried.case, tried.trial.reason);
    }
  }

  /** Looks for the smallest case that fails in the same way. */
  async shrink(): Promise<void> {
    const [first] = this.#failures;
    if (!first) return;
    const smallest = await shrunk(
      first,
      (candidate) => this.#again(candidate),
      this.#check.needs.includes('probe') ? 24 : 6,
    );
    const certain =
      smallest === first || !smallest.finding.absence || (await this.#again(smallest.case)).kind === 'broken';
    if (certain) this.#failures = [smallest];
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

  async #attempt(generated: GeneratedCase): Promise<Trial | undefined> {
    if (this.#stopped) return undefined;
    const trial = await tryCase(this.#context, this.#found, this.#check, generated);
    if (trial.kind === 'ended') return undefined;
    if (trial.kind === 'broken' && trial.finding.attempts.at(-1)?.answer.kind === 'timed-out') this.#stopped = true;
    if (trial.connectionBroken && !(await this.#context.stillThere())) return this.#lose(generated, trial);
    return trial;
  }

  /** The target is gone. Where nothing ran beside this case, the case is what it died of: that is certain at once. */
  #lose(generated: GeneratedCase, trial: Trial): Trial | undefined {
    const culprit = this.#alone && trial.kind === 'broken';
    if (culprit) this.#failures.push({ case: generated, finding: trial.finding });
    const when = culprit
      ? `after a case of ${this.#check.id}`
      : `while checks ran side by side (${this.#check.id} saw it first)`;
    this.#context.end(targetGone(when));
    return culprit ? trial : undefined;
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
    return tryCase(this.#context, this.#found, this.#check, generated);
  }
}

/** Takes smaller failing neighbours as long as there are any, a few at a time, the first of each few that fails. */
async function shrunk(
  failure: Failure,
  attempt: (candidate: GeneratedCase) => Promise<Trial>,
  width: number,
): Promise<Failure> {
  const until = performance.now() + shrinkBudget.ms;
  let left: number = shrinkBudget.tries;
  let smallest = failure;
  search: for (;;) {
    const candidates = shrunkCases(smallest.case);
    for (;;) {
      const few = nextFew(candidates, Math.min(width, left));
      if (few.length === 0 || performance.now() > until) return smallest;
      left -= few.length;
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

function sameCause(one: Finding, other: Finding): boolean {
  return one.requirements[0] === other.requirements[0] && one.absence === other.absence;
}
