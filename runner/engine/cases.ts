import fc, { type Arbitrary, type Value } from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

import type { CaseKind } from '../../suites/check.ts';
import type { Intensity } from './plan.ts';

/** A generated case of a check. */
export interface GeneratedCase {
  readonly arbitrary: Arbitrary<unknown>;
  /** What is tried. Made anew where it was let go of. */
  readonly value: unknown;
  /** The value with all that shrinking needs, which is many times as large: made anew, for hardly a case is ever shrunk. */
  drawn(): Value<unknown>;
  /** The number of the case, then the number of each shrink that was taken: `17:0:2`. */
  readonly path: string;
  readonly index: number;
  /** Forgets the value: most cases are never looked at again. Nothing where it cannot be made anew. */
  letGo?(): void;
}

const casesAt: Readonly<Record<Intensity, number>> = { quick: 6, standard: 36, thorough: 400 };

/** What the cases of a check depend on beside the seed. */
export interface Drawable<Source> {
  readonly id: string;
  readonly weight?: number;
  cases(draw: Source): readonly CaseKind<unknown>[];
}

/** How many cases a check gets, beside what its weight and the intensity say. */
export interface Economy {
  /** The part of the usual number, 0 to 1. Default 1. */
  readonly share?: number;
  /** What is tried once at least. Default: every kind of case; from `standard` on every variant of each. */
  readonly least?: 'kinds' | 'variants';
  /** Kinds that have to be tried at most, the first ones; 1 at least. Default: all. */
  readonly kinds?: number;
}

/** How many cases a check gets: in proportion to its weight, and so many at least. */
function caseCount(weight: number, least: number, intensity: Intensity): number {
  return least === 0 ? 0 : Math.max(least, Math.round(casesAt[intensity] * weight));
}

/** The cases of a check, each made when it is asked for; the first ones are one of each kind. */
export interface CaseSource {
  readonly count: number;
  /** How many kinds of case are tried, each variant counted as one. */
  readonly kinds: number;
  /** How many cases it takes to have one of each kind that is tried, whatever the variant. */
  readonly ofEachKind: number;
  at(index: number): GeneratedCase;
}

/**
 * The cases of a check. They depend on the seed, the check and their number alone, so that selecting checks changes no
 * case of those that remain.
 */
export function caseSource<Source>(
  check: Drawable<Source>,
  draw: Source,
  seed: number,
  intensity: Intensity,
  { share = 1, least = intensity === 'quick' ? 'kinds' : 'variants', kinds: most = Infinity }: Economy = {},
): CaseSource {
  const kinds = check.cases(draw);
  const variants = inTurn(kinds, (place) => fc.hash(`${seed}/${check.id}/kind ${place}`));
  const fewest = Math.min(least === 'kinds' ? kinds.length : variants.length, most);
  const count = caseCount((check.weight ?? 1) * share, fewest, intensity);
  return {
    count,
    kinds: Math.min(count, variants.length),
    ofEachKind: Math.min(count, kinds.length),
    at(index) {
      return new DrawnCase(variants[index % variants.length]!, fc.hash(`${seed}/${check.id}/${index}`), index);
    },
  };
}

/** A case of which there may be very many: without an object or a function of its own for what all have. */
class DrawnCase implements GeneratedCase {
  readonly arbitrary: Arbitrary<unknown>;
  readonly index: number;
  readonly #seed: number;
  #made: { readonly value: unknown } | undefined;

  constructor(arbitrary: Arbitrary<unknown>, seed: number, index: number) {
    this.arbitrary = arbitrary;
    this.index = index;
    this.#seed = seed;
    this.#made = { value: this.drawn().value };
  }

  get path(): string {
    return String(this.index);
  }

  get value(): unknown {
    return (this.#made ??= { value: this.drawn().value }).value;
  }

  drawn(): Value<unknown> {
    return this.arbitrary.generate(new fc.Random(xoroshiro128plus(this.#seed)), biasOf(this.index));
  }

  letGo(): void {
    this.#made = undefined;
  }
}

/**
 * The first variant of each kind, then the second of each that has one, and so on.
 *
 * @param offset - which variant of the kind at this place is the first one, counted round
 */
function inTurn(kinds: readonly CaseKind<unknown>[], offset: (place: number) => number): readonly Arbitrary<unknown>[] {
  const turned = kinds.map((kind, place) => rotated(Array.isArray(kind) ? kind : [kind], offset(place)));
  const rounds = Math.max(0, ...turned.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    turned.flatMap((variants) => variants.slice(round, round + 1)),
  ).flat();
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

/** The smaller neighbours of a case, each with its path. */
export function* shrunkCases(generated: GeneratedCase): Generator<GeneratedCase> {
  const { arbitrary, path, index } = generated;
  let step = 0;
  const { value_, context } = generated.drawn();
  for (const smaller of arbitrary.shrink(value_, context)) {
    yield { arbitrary, value: smaller.value, drawn: () => smaller, path: `${path}:${step++}`, index };
  }
}

/** The smallest value that shrinking reaches when its first step is always taken. */
export function smallestOf<T>(arbitrary: Arbitrary<T>): T {
  let value = arbitrary.generate(new SmallNumbers(xoroshiro128plus(1)), undefined);
  for (let steps = 0; steps < 1000; steps++) {
    const smaller = arbitrary.shrink(value.value_, value.context).getNthOrLast(0);
    if (smaller === null) break;
    value = smaller;
  }
  return value.value_;
}

/**
 * Of the numbers that are asked for, the one next to zero again and again, which makes a value that there is next to nothing
 * to shrink of. Each 128th is random: a filter that refuses the smallest ones would never end.
 */
class SmallNumbers extends fc.Random {
  #count: number;
  readonly #random: RandomGenerator;

  constructor(random: RandomGenerator, count = 0) {
    super(random);
    this.#random = random;
    this.#count = count;
  }

  override clone(): SmallNumbers {
    return new SmallNumbers(this.#random, this.#count);
  }

  override nextInt(min = -0x8000_0000, max = 0x7fff_ffff): number {
    return this.#isRandom() ? super.nextInt(min, max) : Math.max(min, Math.min(max, 0));
  }

  override nextBigInt(min: bigint, max: bigint): bigint {
    if (this.#isRandom()) return super.nextBigInt(min, max);
    return min > 0n ? min : max < 0n ? max : 0n;
  }

  #isRandom(): boolean {
    return ++this.#count % 128 === 0;
  }
}

/** The bias towards small and extreme values that fast-check itself uses for its n-th run. */
function biasOf(index: number): number {
  return 2 + Math.floor(Math.log10(index + 1));
}

/** Which case of which check something is the doing of. */
export interface Owner {
  readonly check: string;
  readonly case: number;
}

/** What the engine does itself: before the cases of all checks, between them and after them. */
export const control: Owner = { check: 'control', case: 0 };
