import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { hasStatusClass } from '../../suites/answer.ts';
import type { Call } from '../../suites/exchange.ts';
import { jsonOf, mediaTypeOf } from './answers.ts';
import type { RunState } from './run.ts';

/** Too many calls, which says nothing about the call. */
const tooMany = 429;

/** Gathers with which statuses and bodies a service refuses calls: both are a gap of the contract. */
export class Refusals {
  readonly #statuses = new Set<number>();
  readonly #withoutKey = new Set<number>();
  /** How many refusals had a body of this shape. */
  readonly #shapes = new Map<string, number>();

  /** @param keyed - whether the call carried the user's key */
  add(call: Call, keyed: boolean): void {
    const { answer } = call;
    if (answer.kind !== 'answered' || !hasStatusClass(answer, 4) || answer.status === tooMany) return;
    (keyed ? this.#statuses : this.#withoutKey).add(answer.status);
    const shape = shapeOf(call, answer.body);
    this.#shapes.set(shape, (this.#shapes.get(shape) ?? 0) + 1);
  }

  /** Tells what was gathered. */
  tell(context: Pick<RunState, 'learn' | 'emit' | 'plan'>): void {
    const all = [...this.#shapes.values()].reduce((sum, count) => sum + count, 0);
    if (this.#statuses.size > 0) context.learn('refusal.status', listOf(this.#statuses), `${all} refused calls`);
    if (this.#withoutKey.size > 0)
      context.learn('refusal.unauthorized', listOf(this.#withoutKey), 'calls without the key, or with another');
    const gap = context.plan.contract.assumptions.find(({ key }) => key === 'refusal.status')?.gap;
    const common = [...this.#shapes].toSorted(([, one], [, other]) => other - one).slice(0, 3);
    for (const [shape, count] of gap === undefined ? [] : common) {
      context.emit({ type: 'observed', gap: gap!, value: shape, evidence: `${count} of ${all} refusals` });
    }
  }
}

function shapeOf(call: Call, body: string): string {
  if (body.trim() === '') return 'no body';
  const type = mediaTypeOf(call) || 'no media type';
  const value = jsonOf(call);
  return `${type}: ${value === undefined ? 'text' : describe(value)}`;
}

function describe(value: Json): string {
  if (isJsonObject(value)) return `an object with ${Object.keys(value).toSorted().slice(0, 6).join(', ') || 'nothing'}`;
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function listOf(statuses: ReadonlySet<number>): string {
  return [...statuses].toSorted((one, other) => one - other).join(',');
}
