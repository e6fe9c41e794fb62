import { setTimeout as sleep } from 'node:timers/promises';

import type { Answer } from '../../suites/delivery.ts';
import { NotStarted } from '../../suites/processControl.ts';
import {
  surelyOf,
  type AtWork,
  inTime,
  newestOf,
  notUpAgain,
  type PerhapsOf,
  suspicion,
  type SupervisedCase,
  type Suspected,
  type TargetDeath,
} from './supervisedCase.ts';
import { aftermath, lingering } from '../engine/death.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import type { Lateness } from '../engine/lateness.ts';
import { control, type Owner } from '../engine/cases.ts';

/** What a guardian keeps up: a target that the kit starts, or one that something else may start. */
export interface Guarded {
  readonly running: boolean;
  /** Makes sure that it runs. @throws NotStarted where it does not come up */
  ensureUp(owner: Owner): Promise<void>;
  /** Finds out about a target whose connections broke, and informs the guardian. @returns whether it was gone */
  look(): Promise<boolean>;
  /** True where its death is reported without a look. */
  readonly reportsDeath: boolean;
}

/** What a guardian has to know of the run. */
export interface GuardianOptions {
  readonly target: Guarded;
  /** `receiver` or `service`, for messages. */
  readonly kind: string;
  /** Aborted when the run ends: from then on nothing is started. */
  readonly ended: AbortSignal;
  /** By `performance.now`: a death is awaited for longer by it. Default: the kit is never late. */
  readonly lateness?: Pick<Lateness, 'extended'> | undefined;
  end(end: RunEnd): void;
}

/** Milliseconds between two looks at a target whose death nobody reports. */
const interval = 50;

/** Keeps a target up while cases run, and knows which of them were at work where it died although nobody asked for it. */
export class Guardian {
  readonly #options: GuardianOptions;
  readonly #atWork = new Set<SupervisedCase>();
  /** Those that ended a moment ago, and when. */
  #recent: { readonly supervised: SupervisedCase; readonly at: number }[] = [];
  /** The last two cases that ended since the target was started, the newest first, and when. */
  #before: readonly { readonly name: string; readonly at: number }[] = [];
  #last: SupervisedCase | undefined;
  #rising: Promise<void> | undefined;
  #looking: Promise<boolean> | undefined;
  /** Called of the next death. */
  readonly #awaitingDeath = new Set<() => void>();
  #deaths = 0;
  /** The death after which it was last brought up, and when (monotonic) it was. */
  #raised: { readonly of: PerhapsOf; readonly at: number } | undefined;
  /** When (monotonic) the last request had ended. */
  #lastHeard = 0;
  #lastAnswer: Answer | undefined;
  /** The last death that what was sent until {@link linger} may have brought about. */
  #lastDeath: TargetDeath | undefined;
  #lingering: { readonly last: SupervisedCase | undefined; readonly from: number; readonly ms: number } | undefined;
  /** The deaths of which it is known what the target died of, by number and by words. */
  readonly #explained = new Set<number | string>();

  constructor(options: GuardianOptions) {
    this.#options = options;
  }

  /** How often it died although nobody asked for it. */
  get deaths(): number {
    return this.#deaths;
  }

  /** The only case that a change of the target's process can belong to; nothing where there are several. */
  get suspect(): SupervisedCase | undefined {
    const suspects = this.#suspects().filter(({ after }) => after < aftermath);
    return suspects.length === 1 ? suspects[0]?.supervised : undefined;
  }

  /**
   * What was sent so far may be what the target dies of for longer than usual, whatever is at work by then.
   *
   * @param ms - for how long after the last request
   */
  linger(ms: number): void {
    this.#lingering = { last: this.#last, from: this.#lastHeard, ms };
  }

  /** A case, and whether nothing else is at work; another one that is, where the case has ended. */
  suspectOf({ check, case: number }: Owner): AtWork | undefined {
    const own = [...this.#atWork].find((one) => one.check === check && one.case === number);
    const others = [...this.#atWork].filter((one) => one !== own && one.waitingSince === undefined);
    const supervised = own ?? others[0];
    return supervised && { supervised, alone: own?.inTurn === true && others.length === 0 };
  }

  /** Milliseconds for which {@link linger} goes on. */
  get lingersFor(): number {
    const { from = 0, ms = 0 } = this.#lingering ?? {};
    return Math.max(0, this.#due(from, ms) - performance.now());
  }

  /** Whether the kit starts the target. */
  get startsIt(): boolean {
    return this.#options.target.reportsDeath;
  }

  /** It is known what the target died of: nothing else is suspected any more. */
  explain({ number, how }: TargetDeath): void {
    this.#explained.add(number);
    if (this.#options.target.reportsDeath) this.#explained.add(how);
  }

  /**
   * The last death of which it is not known what the target died of, of those that what was sent until {@link linger} may
   * have brought about. Where it died in the same words of what is known, it died of that.
   */
  get unexplained(): TargetDeath | undefined {
    return this.#lastDeath && !this.explains(this.#lastDeath, true) ? this.#lastDeath : undefined;
  }

  /** Whether it is known what the target died of; `alike`: or it died in the same words before, of what is known. */
  explains({ number, how }: TargetDeath, alike = false): boolean {
    return this.#explained.has(number) || (alike && this.#explained.has(how));
  }

  /** Counts a case in. @returns counts it out again; `harmless`: what it did can no longer be what the target dies of */
  enter(supervised: SupervisedCase): (harmless?: boolean) => void {
    this.#atWork.add(supervised);
    this.#last = supervised;
    return (harmless = false) => {
      this.#atWork.delete(supervised);
      const now = performance.now();
      // Now and then: at each end of a case it would take longer than the case.
      if (now - (this.#recent[0]?.at ?? now) > 2 * aftermath)
        this.#recent = this.#recent.filter(({ at }) => this.#due(at, aftermath) > now);
      const name = nameOf(supervised);
      this.#before = [{ name, at: now }, ...this.#before.filter((one) => one.name !== name).slice(0, 1)];
      if (!harmless) this.#recent.push({ supervised, at: supervised.waitingSince ?? now });
    };
  }

  /**
   * Makes sure that the target runs. To be called before and after each case, once nothing else acts on its process.
   *
   * @throws NotStarted where it does not come up again
   */
  async up(owner: Owner): Promise<void> {
    await this.#rising;
    if (!this.#options.ended.aborted && !this.#options.target.running) await this.#options.target.ensureUp(owner);
  }

  /** To be called when the target went away although nobody asked for it. @param what - see {@link TargetDeath} */
  died(what: Omit<TargetDeath, 'number'>): void {
    const death = { number: (this.#deaths += 1), ...what };
    const late = this.#late();
    if (late || this.#lingering === undefined) this.#lastDeath = death;
    const suspects = this.#suspects(late);
    const waiting = [...this.#atWork].filter((one) => !suspects.some(({ supervised }) => supervised === one));
    for (const { supervised, after } of suspects) supervised.suspected(death, after, this.#isFirst(supervised));
    for (const one of waiting) one.disturbed(death);
    this.absolve();
    for (const wake of this.#awaitingDeath) wake();
    const isHeld = suspects.some(({ supervised, after }) => supervised.controlsProcess && after === 0);
    if (!isHeld) this.#rising ??= this.#raise({ death, suspects, late });
  }

  /** Finds out whether the target is gone, and waits until it is up again. @returns whether it was gone */
  async look(): Promise<boolean> {
    if (this.#rising === undefined && !this.#options.ended.aborted)
      this.#looking ??= this.#options.target.look().finally(() => (this.#looking = undefined));
    const wasGone = await this.#looking;
    const wasRising = this.#rising !== undefined;
    await this.#rising;
    return wasGone === true || wasRising;
  }

  /**
   * Takes how a request ended. A broken connection may be the first sign of a death that nobody reports, and what starts
   * the target again may be quick: it is looked for at once.
   */
  heard(answer: Answer): void {
    this.#lastHeard = performance.now();
    if (answer.kind === 'answered') this.#lastAnswer = answer;
    else if (answer.kind === 'broken' && !answer.code.endsWith('_BY_KIT')) void this.notice();
  }

  /** Since it last came up (monotonic) it serves nobody, `how` in words: a death before that is its end. @returns whether there was one */
  servesNobody(upSince: number, how: string): boolean {
    if (this.#raised === undefined || this.#raised.at < upSince) return false;
    this.#giveUp(new NotStarted(how), this.#raised.of);
    return true;
  }

  /** Finds it out where nobody reports a death. */
  async notice(): Promise<void> {
    if (!this.#options.target.reportsDeath) await this.look();
  }

  /** Waits for a death that nobody asked for, and then until it is up again. @param ms - how long a death is awaited at most */
  async untilDeath(ms: number): Promise<void> {
    const { target, ended } = this.#options;
    const from = performance.now();
    const left = (): number => this.#due(from, ms) - performance.now();
    const deaths = this.#deaths;
    do {
      if (target.reportsDeath) await this.#nextDeath(Math.max(0, left()));
      else {
        await sleep(Math.min(interval, ms), undefined, { signal: ended }).catch(() => undefined);
        await this.look();
      }
    } while (left() > 0 && this.#deaths === deaths && !ended.aborted);
    await this.#rising;
  }

  /** What was sent so far can no longer be what the target dies of: it was watched for long enough. */
  absolve(): void {
    this.#recent = [];
    this.#before = [];
  }

  /** Until nothing is being done to bring the target up. */
  async settled(): Promise<void> {
    await this.#rising;
  }

  /** When what takes so many milliseconds from some moment on is over. */
  #due(from: number, ms: number): number {
    return this.#options.lateness?.extended(from, from + ms) ?? from + ms;
  }

  async #nextDeath(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#awaitingDeath.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#awaitingDeath.delete(resolve);
  }

  /** Whether no other case ended, since the target was started, so shortly before that it may still die of it. */
  #isFirst(supervised: SupervisedCase): boolean {
    const since = performance.now() - lingering.thorough;
    return !this.#before.some(({ name, at }) => name !== nameOf(supervised) && at > since);
  }

  /** The last case of those that the target may die of late; nothing where none is any more. */
  #late(): Suspected | undefined {
    const { last, from } = this.#lingering ?? {};
    if (last === undefined || from === undefined || this.lingersFor === 0) return undefined;
    return { supervised: last, after: Math.max(aftermath, Math.round(performance.now() - from)) };
  }

  /** Those at work, and those that were a moment ago, the newest first; the last one of all where there is none. */
  #suspects(late?: Suspected): readonly Suspected[] {
    const now = performance.now();
    const own = [...this.#atWork].map((supervised) => ({ supervised, at: supervised.waitingSince ?? now }));
    const suspects = [...own, ...this.#recent]
      .filter(({ at }) => this.#due(at, aftermath) > now)
      .map(({ supervised, at }) => ({ supervised, after: Math.round(now - at) }))
      .toSorted((one, other) => one.after - other.after);
    if (suspects.length > 0 || this.#last === undefined) return suspects;
    return [late ?? { supervised: this.#last, after: Math.max(aftermath, Math.round(now - this.#lastHeard)) }];
  }

  /** Brings it up again at once, so that those who did not kill it need not wait long. Never rejects. */
  async #raise(of: PerhapsOf): Promise<void> {
    const { ended, target } = this.#options;
    try {
      if (ended.aborted) return;
      await target.ensureUp(of.suspects[0]?.supervised ?? control);
      this.#raised = { of, at: performance.now() };
    } catch (error) {
      // Whatever else keeps it from coming up is the kit's own doing: the run was over meanwhile.
      if (!ended.aborted && error instanceof NotStarted) this.#giveUp(error, of);
    } finally {
      this.#rising = undefined;
    }
  }

  #giveUp(error: NotStarted, { death, suspects, late }: PerhapsOf): void {
    const sure = surelyOf(suspects);
    const isLate = sure?.isOver !== false && late?.supervised.inTurn === true;
    const convicted = isLate ? late.supervised : (sure ?? (this.startsIt ? newestOf(suspects) : undefined));
    convicted?.convicted(inTime(death, suspects, late && { ...late, isIt: isLate }), error);
    const end = notUpAgain(this.#options.kind, death, error);
    this.#options.end(suspicion(end, death, { sure, suspects, answered: this.#lastAnswer }));
  }
}

const nameOf = ({ check, case: number }: Owner): string => `${check} ${number}`;
