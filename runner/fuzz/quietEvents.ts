import type { UntimedEvent } from '../engine/runEvents.ts';

/** Events of one sort that are reported at most, where each sequence could bring another. */
const most = { deaths: 20, observations: 200, errors: 20 } as const;

/** Passes on what is worth telling of a search, and counts the rest: a run may go on for days. */
export class QuietEvents {
  readonly #emit: (event: UntimedEvent) => void;
  readonly #reported = new Set<string>();
  #deaths = 0;
  #unanswered = 0;
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
