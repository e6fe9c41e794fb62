import type { Answer } from '../../suites/delivery.ts';

/**
 * Once so many plain requests had no answer in all of their time, one is taken for unanswered that takes so many times as long as
 * the slowest answer of all, and these milliseconds at least.
 */
const silence = { seen: 2, times: 10, least: 1000 } as const;

/** Milliseconds, and that where none had no answer yet, and so many were answered. */
const unseen = { answered: 20, least: 10_000 } as const;

/** How long the answers of a target take, and how often none comes. */
export class AnswerTimes {
  #answered = 0;
  #unanswered = 0;
  #slowest = 0;
  /** Whether an answer is given up that hardly comes any more. What looks broken for that has to be tried again. */
  mayHurry = true;

  /** Whether nothing was answered yet. */
  get areNone(): boolean {
    return this.#answered === 0;
  }

  /** Notes how a request was answered whose answer was awaited as long as may be, and beside which nothing was done to the target. */
  note(answer: Answer): void {
    if (answer.kind === 'answered') {
      this.#answered += 1;
      this.#slowest = Math.max(this.#slowest, answer.ms);
    } else if (answer.kind === 'timed-out' && answer.status === undefined) this.#unanswered += 1;
  }

  /**
   * Milliseconds for which it is worth to wait for an answer; nothing where that is as long as it may take. Some handlers end
   * without an answer: to await each of those costs the time of the run.
   */
  patience(timeout: number): number | undefined {
    const isSeen = this.#unanswered >= silence.seen && this.#answered > 0;
    const enough = Math.max((isSeen ? silence : unseen).least, silence.times * this.#slowest);
    const isKnown = isSeen || this.#answered >= unseen.answered;
    return this.mayHurry && isKnown && enough < timeout ? enough : undefined;
  }

  /**
   * What is known of answers that do not come, for one more request of a case.
   *
   * @param isPatient - whether it gets all of its time
   */
  silence(timeout: number, isPatient: boolean): Silence {
    const patience = this.patience(timeout);
    return { isKnown: patience !== undefined, patience: isPatient ? undefined : patience };
  }
}

/** Knows whether one request of a case had no answer in all of its time. */
export class WaitedOut {
  #isEnough = false;

  note(answer: Answer): void {
    this.#isEnough ||= answer.kind === 'timed-out' && answer.hurried !== true;
  }

  /** Whether the others of the case need not wait as long. */
  get isEnough(): boolean {
    return this.#isEnough;
  }
}

/** The answer, marked where it was given up before all of its time was over. */
export function perhapsHurried(answer: Answer, patience: number | undefined): Answer {
  return answer.kind === 'timed-out' && patience !== undefined ? { ...answer, hurried: true } : answer;
}

/** The answer as a report shows it: how long the kit meant to wait says nothing of the target. */
export function withoutHurry(answer: Answer): Answer {
  if (answer.kind !== 'timed-out') return answer;
  const { hurried: _, ...shown } = answer;
  return shown;
}

/** What is known of requests that get no answer. */
export interface Silence {
  /** Whether some get none, and load is not why. */
  readonly isKnown: boolean;
  /** Milliseconds after which an answer hardly comes any more. Default: the time-out. */
  readonly patience?: number | undefined;
}
