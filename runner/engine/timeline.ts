import type { Moment } from '../../reports/model/events.ts';
import { describeAnswer } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Effects } from '../../suites/kit.ts';

/** Ids whose effects are reported one by one; of more only their number is given, and those that stand out. */
const fewIds = 4;

/** What happened in a case, moment by moment, in milliseconds since it began. */
export class Timeline {
  readonly #elapsed: () => number;
  readonly #began: number;
  readonly #moments: Moment[] = [];
  /** The number of effects of each id that was reported last. */
  readonly #counts = new Map<string, { readonly count: number; readonly moment: Moment }>();

  /** @param elapsed - milliseconds of the run */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#began = elapsed();
  }

  /** In the order of time. */
  get moments(): readonly Moment[] {
    return this.#moments.toSorted((one, other) => one.ms - other.ms);
  }

  /** @param at - milliseconds of the run. Default: now */
  add({ at = this.#elapsed(), ...moment }: Omit<Moment, 'ms'> & { readonly at?: number }): void {
    this.#moments.push({ ms: Math.max(0, Math.round((at - this.#began) * 10) / 10), ...moment });
  }

  /** A delivery, to be reported when its answer has come: the answer knows how long it took. */
  exchanged(id: string, answer: Answer): void {
    const now = this.#elapsed();
    const of = id === '' ? {} : { id };
    this.add({ at: now - answer.ms, what: 'sent', ...of });
    this.add({ at: now, what: answer.kind, ...of, detail: describeAnswer(answer) });
  }

  /** Numbers of effects that were seen now. */
  counted(effects: Effects, expected: ReadonlyMap<string, number>): void {
    const odd = [...expected].filter(([id, count]) => (effects.get(id) ?? 0) !== count);
    const reported = expected.size <= fewIds ? [...expected] : odd.slice(0, fewIds);
    for (const [id] of reported) this.#count(id, effects.get(id) ?? 0);
    if (reported.length === expected.size) return;
    const right = expected.size - odd.length;
    this.add({ what: 'note', detail: `effects of ${right} of ${expected.size} notifications are as expected` });
  }

  /** The same number again is no news, but of an absence the last look counts. */
  #count(id: string, count: number): void {
    const before = this.#counts.get(id);
    if (before !== undefined && before.count === count) {
      if (count > 0) return;
      this.#moments.splice(this.#moments.indexOf(before.moment), 1);
    }
    this.add({ what: 'note', id, detail: effectText(count, before?.count) });
    this.#counts.set(id, { count, moment: this.#moments.at(-1)! });
  }
}

function effectText(count: number, before = 0): string {
  if (count === 0) return before === 0 ? 'no effect so far' : 'no effect any more';
  return count === 1 ? 'took effect once' : `took effect ${count} times`;
}
