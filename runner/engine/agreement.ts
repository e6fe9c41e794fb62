import type { Header } from '../../suites/delivery.ts';
import { amount } from '../../reports/text/amount.ts';
import type { GeneratedCase } from './cases.ts';
import type { Found, Tried } from './trial.ts';

/** So many other differences are named. */
const fewCases = 3;

/** Characters of a difference that can be named beside others. */
const short = 80;

interface Different extends Found {
  readonly difference?: string;
}

/**
 * How many other cases of a check broke the same requirement, and which they are.
 *
 * @param shown - the case that is reported; it may be a shrunk one
 * @param about - what a case was about, where that is known, and those that held and are forgotten
 * @returns nothing where no other case did
 * @example 'and in 12 of 35 other cases, all with the event order.created'
 */
export function otherCases<F extends Found>(
  tried: readonly Tried<F>[],
  shown: { readonly case: GeneratedCase; readonly finding: F },
  about: { traitsOf(generated: GeneratedCase): Traits | undefined; readonly forgotten: TraitsOfMany },
): string | undefined {
  const [main] = shown.finding.requirements;
  // What is in doubt and was not tried again counts for nothing.
  const broken = tried.filter(
    ({ trial }) => trial.kind === 'broken' && trial.doubted !== true && trial.finding.requirements[0] === main,
  );
  const others = broken.filter((one) => one.case.index !== shown.case.index);
  // From then on nobody was served, whatever was sent.
  if (others.length === 0 || shown.finding.hung !== undefined) return undefined;
  const traits = (cases: readonly Tried<F>[]) => cases.flatMap((one) => about.traitsOf(one.case) ?? []);
  const held = new TraitsOfMany(about.forgotten);
  for (const each of traits(tried.filter(({ trial }) => trial.kind === 'held'))) held.add(each);
  const agreed = agreement(traits(broken), held);
  const which = agreed === undefined ? examples(others, shown.finding) : `, ${agreed}`;
  return `and in ${countText(others.length, tried.length - 1)}${which ?? ''}`;
}

function countText(count: number, all: number): string {
  if (count < all) return `${count} of ${amount(all, 'other case')}`;
  if (all <= 2) return all === 1 ? 'the other case' : 'both other cases';
  return `all ${all} other cases`;
}

/** The differences that others of them have, where they are not all of one kind. */
function examples<F extends Found>(
  others: readonly Tried<F>[],
  { difference: own, actual }: Different,
): string | undefined {
  const differences = others.flatMap(({ trial }) => {
    if (trial.kind !== 'broken') return [];
    const { difference, actual: seen } = trial.finding as Different;
    // Where it was answered otherwise, nobody is to take it for more of the same.
    const isOther = answerOf(seen) !== answerOf(actual);
    return difference === undefined ? [] : [[difference, isOther ? ` (${seen})` : ''] as const];
  });
  const different = [...new Map(differences)].filter(([text]) => text !== own);
  const named = different.filter((texts) => texts.join('').length <= short).slice(0, fewCases);
  if (named.length === 0) return undefined;
  const list = named.map(([text, seen]) => `“${text}”${seen}`).join(', ');
  return `${named.length === others.length ? ':' : ', such as'} ${list}`;
}

/** The status, or that there was none: how long it was awaited, and what follows from it, may differ. */
function answerOf(actual: string): string | undefined {
  return /^(?:\d{3}\b|no answer)/.exec(actual)?.[0];
}

/** What the headers of a case's requests say it was about. */
export function headerTraits(all: readonly (readonly Header[])[]): Traits['values'] {
  const headers = all.flat();
  return {
    'content type': distinct(headers.flatMap(([name, value]) => (/^content-type$/i.test(name) ? value : []))),
    header: distinct(headers.map(([name]) => name)),
  };
}

/** Each of the values that is not empty, once. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '');
}

/** What a case is about: values by what they are, such as the events that it delivers. */
export interface Traits {
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Bytes of its largest body. */
  readonly bytes: number;
  /** Requests that it sent. */
  readonly requests: number;
}

/** What many cases were about, all together. */
export class TraitsOfMany {
  readonly #values = new Map<string, Set<string>>();
  #bytes = -Infinity;
  #count = 0;

  /** @param others - what they hold is taken over */
  constructor(...others: readonly TraitsOfMany[]) {
    for (const other of others) {
      this.#count += other.#count;
      this.#bytes = Math.max(this.#bytes, other.#bytes);
      for (const [name, values] of other.#values) this.#take(name, values);
    }
  }

  /** How many cases. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of the largest body of all. */
  get bytes(): number {
    return this.#bytes;
  }

  has(name: string, value: string): boolean {
    return this.#values.get(name)?.has(value) === true;
  }

  add({ values, bytes }: Traits): void {
    this.#count += 1;
    this.#bytes = Math.max(this.#bytes, bytes);
    for (const [name, own] of Object.entries(values)) this.#take(name, own);
  }

  #take(name: string, values: Iterable<string>): void {
    const all = this.#values.get(name) ?? new Set();
    for (const value of values) all.add(value);
    this.#values.set(name, all);
  }
}

/** So many values are named one by one. */
const few = 3;

/**
 * In what all failing cases of a check agree, and no case that passed.
 *
 * @returns nothing where that cannot be said: they agree in nothing, or few cases passed
 * @example agreement(broken, held) // 'all with the event order.created'
 */
export function agreement(broken: readonly Traits[], held: TraitsOfMany): string | undefined {
  // Of few that passed, all may be otherwise by chance.
  if (broken.length < 2 || held.count < few) return undefined;
  const names = new Set(broken.flatMap(({ values }) => Object.keys(values)));
  const shared = [...names].flatMap((name) => sharedIn(name, broken, held));
  const smallest = Math.min(...broken.map(({ bytes }) => bytes));
  if (shared.length === 0 && smallest > 2 * held.bytes) return `all with a body of ${smallest} bytes or more`;
  return shared.length === 0 ? undefined : `all with ${shared.slice(0, few).join(', and with ')}`;
}

function sharedIn(name: string, broken: readonly Traits[], held: TraitsOfMany): readonly string[] {
  const telling = broken.map(({ values }) => (values[name] ?? []).filter((value) => !held.has(name, value)));
  const [first = [], ...others] = telling;
  const common = first.filter((value) => others.every((values) => values.includes(value)));
  if (common.length > 0) return [`the ${name} ${common.slice(0, few).join(' and ')}`];
  const all = [...new Set(telling.flat())];
  // Values that differ from case to case by chance would always be some of few: each has to occur more than once, and more
  // cases than that have to pass without them, for one that passes has some value by chance.
  const isEach =
    all.length > 0 &&
    all.length <= few &&
    held.count > all.length &&
    telling.every((values) => values.length > 0) &&
    all.every((value) => telling.filter((values) => values.includes(value)).length > 1);
  return isEach ? [`the ${name} ${all.slice(0, -1).join(', ')} or ${all.at(-1)}`] : [];
}
