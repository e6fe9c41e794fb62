import type { RunEnd, UntimedEvent } from '../engine/eventStream.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { type Program, stepsOf } from './gene.ts';
import type { Shrunk } from './failures.ts';

/** Requests in a row without an answer after which the target is looked for, and how often it is asked then. */
const few = 3;

const tries = 2;

/** Events of one sort that are reported at most, where each sequence could bring another. */
const most = { deaths: 20, observations: 200, errors: 20 } as const;

/** Passes on what is worth reporting of a search, and counts the rest: a run may go on for days. */
export class QuietEvents {
  readonly #emit: (event: UntimedEvent) => void;
  readonly #reported = new Set<string>();
  #deaths = 0;
  #unanswered = 0;
  #broken = 0;
  #answers = 0;
  deliveries = 0;
  calls = 0;
  /** Called of each request that had no answer in time. */
  onUnanswered: (() => void) | undefined;

  constructor(emit: (event: UntimedEvent) => void) {
    this.#emit = emit;
  }

  /** Requests in a row that had no answer in time. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** Requests in a row whose connection broke, the last ones of all. */
  get broken(): number {
    return this.#broken;
  }

  /** Requests that had an answer. */
  get answers(): number {
    return this.#answers;
  }

  /** To be called where the target answered a request that has no event. */
  answered(): void {
    this.#unanswered = 0;
  }

  emit(event: UntimedEvent): void {
    if (event.type === 'delivery.finished' || event.type === 'call.finished') this.#hear(event.answer.kind);
    if (event.type === 'delivery.finished' || event.type === 'delivery.caught') this.deliveries += 1;
    else if (event.type === 'call.finished') this.calls += 1;
    else if (event.type === 'life.changed') this.#tellDeath(event);
    else if (event.type === 'observed') this.#tellOnce(`${event.gap} ${event.value}`, most.observations, event);
    else if (event.type === 'learned') this.#tellOnce(`${event.key} ${event.value}`, most.observations, event);
    else if (event.type === 'kit.errored') this.#tellOnce(event.message, most.errors, event);
    else this.#emit(event);
  }

  #hear(kind: string): void {
    this.#broken = kind === 'broken' ? this.#broken + 1 : 0;
    if (kind === 'answered') {
      this.#unanswered = 0;
      this.#answers += 1;
    }
    if (kind !== 'timed-out') return;
    this.#unanswered += 1;
    this.onUnanswered?.();
  }

  #tellDeath(event: Extract<UntimedEvent, { type: 'life.changed' }>): void {
    if (event.change === 'died' && this.#deaths++ < most.deaths) this.#emit(event);
  }

  #tellOnce(what: string, limit: number, event: UntimedEvent): void {
    const name = `${event.type} ${what}`;
    const ofItsSort = [...this.#reported].filter((reported) => reported.startsWith(event.type)).length;
    if (this.#reported.has(name) || ofItsSort >= limit) return;
    this.#reported.add(name);
    this.#emit(event);
  }
}

/** Notices that a target takes connections and answers nothing any more: then no sequence is to blame. */
export class Lookout<F extends FuzzFound> {
  readonly #target: FuzzTarget<F>;
  readonly #events: QuietEvents;
  #looking: Promise<void> | undefined;

  constructor(target: FuzzTarget<F>, events: QuietEvents) {
    this.#target = target;
    this.#events = events;
    events.onUnanswered = () => {
      if (events.unanswered >= few) void this.look();
    };
  }

  /** Ends the run as lost where neither a plain request nor any other is answered. */
  async look(): Promise<void> {
    this.#looking ??= this.#ask(tries).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** The same at the end, where the last request had no answer. */
  async lookLast(): Promise<void> {
    if (this.#isInDoubt) await this.look();
  }

  /** The same where there is no time left: asks once. @param ms - how long at most */
  async lookOnce(ms: number): Promise<void> {
    if (this.#isInDoubt) await this.#ask(1, ms);
  }

  get #isInDoubt(): boolean {
    return this.#events.unanswered + this.#events.broken > 0;
  }

  async #ask(times: number, ms?: number): Promise<void> {
    const { answers } = this.#events;
    for (let time = 0; time < times; time++) {
      if (this.#target.ended.aborted || this.#target.isHeld) return;
      const isThere = await this.#target.answers(ms).catch(() => false);
      if (isThere || this.#events.answers > answers) return this.#events.answered();
    }
    if (!this.#target.isHeld) this.#target.end(silent(this.#target.model.subject));
  }
}

function silent(subject: string): RunEnd {
  return {
    reason: `the ${subject} takes connections, and answered nothing any more, not even a plain request`,
    advice: `Restart the ${subject}, look at its log for what it was busy with, and run again.`,
  };
}

/** Plain requests that show how many the target leaves unanswered whatever is sent, and milliseconds that they may take, a few at a time. */
const sample = { requests: 100, beside: 5, ms: 10_000 } as const;

/** How unlikely it has to be that noise alone brought about as many failures. */
const unlikely = 0.01;

/**
 * Whether a failure recurs no more often than the target leaves plain requests unanswered: one that drops every tenth
 * answer fails in any sequence now and then, in a long one nearly each time, and breaks nothing by it.
 *
 * @param lost - see {@link lostShare}
 */
export function isNoise(
  { finding, program, confirmed }: Pick<Shrunk<FuzzFound>, 'finding' | 'program' | 'confirmed'>,
  lost: number,
): boolean {
  if (!finding.absence || lost === 0) return false;
  const { failed, tries, requests } = confirmed;
  const share = 1 - (1 - lost) ** Math.max(requests, leastOf(program));
  // What was never tried again has been seen once.
  return tries === 0 || chanceOf({ failed, tries }, share) > unlikely;
}

/** The share of plain requests that are not answered. */
export async function lostShare<F extends FuzzFound>(target: FuzzTarget<F>): Promise<number> {
  const until = target.elapsed() + sample.ms;
  let asked = 0;
  let lost = 0;
  while (asked < sample.requests && target.elapsed() < until && !target.ended.aborted) {
    const answered = await Promise.all(Array.from({ length: sample.beside }, () => target.answers()));
    lost += answered.filter((isAnswered) => !isAnswered).length;
    asked += sample.beside;
  }
  return asked === 0 ? 0 : lost / asked;
}

/** A step sends once at least, and what is judged of it is looked at by another request. */
function leastOf(program: Program): number {
  return 2 * stepsOf(program).length;
}

/** How likely it is that so many of the tries fail, or more, where each fails with this probability. */
function chanceOf({ failed, tries }: { readonly failed: number; readonly tries: number }, probability: number): number {
  if (probability >= 1) return 1;
  let term = (1 - probability) ** tries;
  let fewer = 0;
  for (let count = 0; count < failed; count += 1) {
    fewer += term;
    term *= ((tries - count) / (count + 1)) * (probability / (1 - probability));
  }
  return 1 - fewer;
}
