import { fatalOf, type Finding, type ReceiverCheck } from '../../suites/check.ts';
import { finding } from '../../suites/finding.ts';
import type { GeneratedCase } from '../engine/cases.ts';
import type { OpenCase } from '../engine/side.ts';
import { doubted, type Trial } from '../engine/trial.ts';
import { traitsOf } from './caseAttempts.ts';
import type { ReceiverContext } from './receiverContext.ts';
import type { CaseKit } from './receiverKit.ts';
import { type ChanceRefusals, refusedByChance } from './refusedByChance.ts';

/** What a try knows of the run that it is part of. */
interface CaseRun extends Pick<ReceiverContext, 'lateness'> {
  readonly refusals: ChanceRefusals;
  /** Whether it failed before. */
  readonly isAgain: boolean;
  /** Whether the target failed when it began: perhaps of another case. */
  readonly fails: boolean;
}

/** One try of a case of a receiver. */
export class OpenReceiverCase implements OpenCase<Finding> {
  readonly #check: ReceiverCheck;
  readonly #generated: GeneratedCase;
  readonly #kit: CaseKit;
  readonly #run: CaseRun;
  readonly #from = performance.now();
  #found: Finding | undefined;

  constructor(check: ReceiverCheck, generated: GeneratedCase, kit: CaseKit, run: CaseRun) {
    this.#check = check;
    this.#generated = generated;
    this.#kit = kit;
    this.#run = run;
  }

  get waitingSince() {
    return this.#kit.waitingSince;
  }
  get answers() {
    return this.#kit.attempts.map(({ answer }) => answer);
  }
  /** Of a case that failed by what its finding shows: a suspicion leads to further deliveries, which others do not send. */
  get traits() {
    const { attempts, control } = this.#kit;
    const deliveries = (this.#found?.attempts ?? attempts).map(({ delivery }) => delivery);
    return { ...traitsOf(deliveries, control.event), requests: attempts.length };
  }

  async run(): Promise<Finding | undefined> {
    this.#found = await this.#check.run(this.#kit, this.#generated.value);
    return this.#found;
  }

  fatal(conclusion: Pick<Finding, 'expected' | 'actual' | 'absence' | 'died' | 'hung'>): Finding {
    const requirement = fatalOf(this.#check, 'receiver');
    const { attempts } = this.#kit;
    // What came after the first broken connection reached nobody, unless the case itself brought that about.
    const last = controlsProcess(this.#check) ? -1 : attempts.findIndex(({ answer }) => answer.kind === 'broken');
    return finding({ requirement }, { ...conclusion, attempts: last === -1 ? attempts : attempts.slice(0, last + 1) });
  }

  async close(trial: Trial<Finding>): Promise<Trial<Finding>> {
    if (trial.kind === 'broken' && (await this.#run.refusals.mayExplain(this.#check, trial.finding)))
      return { kind: 'unproven', reason: refusedByChance, final: true };
    // Where the target is paused on purpose, it is no sign of overload that it does not answer.
    const judged = trial.kind === 'broken' && !controlsProcess(this.#check);
    const unanswered = judged && trial.finding.attempts.at(-1)?.answer.kind === 'timed-out';
    const seen = unanswered ? { ...trial, unanswered } : trial;
    if (judged && this.#isHurried(trial.finding))
      return this.#run.isAgain
        ? { kind: 'unproven', reason: 'no answer was awaited in all of its time', final: false }
        : doubted({ ...seen, kind: 'broken', finding: { ...trial.finding, absence: true } });
    const mayBeOfAnother = judged && this.#run.fails;
    return mayBeOfAnother || this.#run.lateness.within(this.#from, performance.now()) > 0 ? doubted(seen) : seen;
  }

  /** Whether an answer may have come to what it shows, or to anything that led there, if it had been awaited in all of its time. */
  #isHurried({ attempts }: Finding): boolean {
    const answers = this.#run.isAgain ? attempts.map(({ answer }) => answer) : this.answers;
    const missing = answers.filter((answer) => answer.kind === 'timed-out');
    const hurried = missing.filter((answer) => answer.hurried === true);
    return hurried.length > 0 && (!this.#run.isAgain || hurried.length === missing.length);
  }

  timelineOf() {
    return controlsProcess(this.#check) ? this.#kit.timeline : undefined;
  }
}

export function controlsProcess({ needs }: Pick<ReceiverCheck, 'needs'>): boolean {
  return needs.includes('process-control');
}
