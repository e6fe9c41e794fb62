import { duration } from '../../reports/text/amount.ts';
import type { Answer } from '../../suites/delivery.ts';
import { itemOf } from '../../suites/items.ts';
import { targetHangs, type LastAnswers } from './death.ts';
import { killed } from '../process/guardedProcess.ts';
import type { AtWork } from '../process/supervisedCase.ts';
import { control, type Owner } from './cases.ts';
import type { RunContext } from './runContext.ts';
import { RefusalWatch } from './refusalWatch.ts';

/** Requests in a row without an answer after which the target is looked at. */
const suspicious = 3;

/** Answered requests that are remembered for a report. */
const remembered = 3;

/**
 * How long is waited for a target that answers nothing: so many time-outs, where the kit starts it again one of them. It is never
 * less than so many milliseconds, for a short time-out makes no hang, and never more than this part of the time that is left.
 */
const patience = { timeouts: 3, least: 10_000, share: 0.2 } as const;

/** Milliseconds between two looks at a target that does not keep anybody waiting. */
const pause = 200;

/** By which parts of a time-out the pauses differ: what comes and goes may come as often as one look follows another. */
const parts = [0, 3 / 8, 1 / 8, 5 / 8] as const;

/** Milliseconds of a time-out that count for that, at most. */
const longest = 2000;

/** What a watch has to know of its run. */
type Watched = Pick<RunContext, 'ended' | 'end' | 'deadline' | 'targetProcess' | 'guardian'>;

/**
 * Notices that the target answers nothing any more, and spares the run waiting for each answer: after several time-outs in
 * a row, with no answer between them, all requests wait while plain ones show whether it comes back. Where it does not,
 * the run ends; one that the kit has started is killed, and started again.
 */
export class HangWatch {
  readonly #subject: 'receiver' | 'service';
  readonly #timeout: number;
  readonly #run: () => Watched;
  #asks: (() => Promise<boolean>) | undefined;
  #unanswered = 0;
  /**
   * When those were sent that are without an answer, and that none answers the sending of which is later. Also those that were
   * sent together or broken off: a target may do them all the same.
   */
  #piled: number[] = [];
  /** Milliseconds of the quickest answer. */
  #quickest = Infinity;
  readonly #answered: string[] = [];
  /** When the last answer was heard of. */
  #heardAt = -Infinity;
  #first = '';
  /** The case whose request was the first without an answer. */
  #suspect: AtWork | undefined;
  #looking: Promise<void> | undefined;
  readonly #refusals: RefusalWatch;

  /** @param timeout - milliseconds after which a request counts as unanswered */
  constructor(subject: 'receiver' | 'service', timeout: number, run: () => Watched) {
    this.#subject = subject;
    this.#timeout = timeout;
    this.#run = run;
    this.#refusals = new RefusalWatch(subject, run);
  }

  /**
   * From now on time-outs count, where the run has a time limit.
   *
   * @param asks - sends a plain request, and says whether it was answered
   * @param refusal - does so too, and resolves to its answer where it was not accepted; nothing where that is not watched
   */
  begin(asks: () => Promise<boolean>, refusal?: () => Promise<Answer | undefined>): void {
    if (this.#run().deadline.left === Infinity) return;
    this.#asks = asks;
    this.#refusals.begin(refusal);
  }

  /** Resolves once nobody waits for the target to come back. */
  async calm(): Promise<void> {
    await Promise.all([this.#looking, this.#refusals.calm()]);
  }

  /**
   * Takes how a request ended.
   *
   * @param request - in words: `a delivery of order.failed (receiver/robustness/nesting)`
   * @param owner - the case that it belongs to
   * @param plain - false where it may well take long: its time-out shows nothing
   */
  heard(request: string, owner: Owner, answer: Answer, plain: boolean): void {
    const sent = performance.now() - answer.ms;
    if (answer.kind === 'answered') {
      this.#unanswered = 0;
      this.#heardAt = performance.now();
      // Of others it may be heard long after they were answered.
      if (plain) this.#piled = this.#piled.filter((at) => at > sent);
      this.#quickest = Math.min(this.#quickest, answer.ms);
      if (this.#answered.push(`${request}: ${answer.status}`) > remembered) this.#answered.shift();
      return;
    }
    this.#piled.push(sent);
    if (answer.kind === 'broken' || answer.status !== undefined) this.#unanswered = 0;
    else if (plain) this.#missed(request, owner);
  }

  /** Takes whether a request was accepted: what accepts nothing any more is noticed too. */
  judged(...judged: Parameters<RefusalWatch['judged']>): void {
    this.#refusals.judged(...judged);
  }

  #missed(request: string, owner: Owner): void {
    if (this.#asks === undefined || this.#looking || this.#run().ended.aborted) return;
    this.#unanswered += 1;
    if (this.#unanswered === 1) {
      this.#first = request;
      this.#suspect = this.#run().guardian.suspectOf(owner);
    }
    if (this.#unanswered >= suspicious)
      this.#looking = this.#look(this.#asks).finally(() => (this.#looking = undefined));
  }

  async #look(asks: () => Promise<boolean>): Promise<void> {
    const { deadline, ended, end, targetProcess } = this.#run();
    const timeout = this.#timeout;
    const began = performance.now();
    const timeouts = targetProcess ? 1 : patience.timeouts;
    const usual = Math.min(Math.max(timeouts * timeout, patience.least), deadline.left * patience.share);
    let looks = 0;
    const backlog = (): number => (targetProcess ? 0 : this.#backlog(looks));
    const last: LastAnswers = { answered: [...this.#answered], first: this.#first };
    do {
      // What was sent before may be answered meanwhile, and what is answered shows the same.
      if ((await asks()) || this.#heardAt > began) return void (this.#unanswered = 0);
      const part = itemOf(parts, (looks += 1) % parts.length);
      await new Promise((resolve) => setTimeout(resolve, pause + part * Math.min(timeout, longest)));
    } while (!ended.aborted && performance.now() - began < Math.max(usual, backlog()));
    if (targetProcess) return killed(targetProcess, 'hung: it took requests and answered none');
    if (!ended.aborted) this.#convict(performance.now() - began);
    end(targetHangs(this.#subject, { ...last, timeout, waited: performance.now() - began }));
  }

  /**
   * Milliseconds that a target may need for what it was sent and did not answer, if it serves a request at a time: twice as long
   * as the quickest of them would take. What nobody waits for any more is worked off all the same, and so are the looks.
   */
  #backlog(looks: number): number {
    return this.#quickest === Infinity ? 0 : (2 * this.#piled.length + looks) * this.#quickest;
  }

  /** The first one without an answer is what the target hangs of, as far as can be seen. Where it is over, another shows it. */
  #convict(waited: number): void {
    const isOver = this.#suspect?.supervised.isOver === true;
    const { supervised, alone } = (isOver ? this.#run().guardian.suspectOf(control) : this.#suspect) ?? {};
    const how = `from then on it answered nothing, and no plain requests either for ${duration(waited)} more`;
    supervised?.hung(how, alone === true);
  }
}
