import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';

/** What the laws need to know of an arbitrary. */
export interface Lawful<T> {
  /** Builds it; called twice, since that has to give the same arbitrary. */
  readonly arbitrary: () => Arbitrary<T>;
  readonly isValid: (value: T) => boolean;
  /** How many values to draw. Default: 100. */
  readonly draws?: number;
  /** False for arbitraries of one value, which has nothing to shrink to. Default: true. */
  readonly shrinks?: boolean;
}

/** The laws that every arbitrary of this room obeys. */
export function obeysTheLaws<T>(name: string, lawful: Lawful<T>): void {
  let known: Arbitrary<T> | undefined;
  const arbitrary = (): Arbitrary<T> => (known ??= lawful.arbitrary());
  describe(`${name} obeys the laws`, () => {
    test('the same seed gives the same values', () => {
      const [one, other] = [arbitrary(), lawful.arbitrary()].map((each) => drawn(each, lawful));
      expect(one).toEqual(other);
    });

    test('every value is valid', () => {
      expect(drawn(arbitrary(), lawful).filter((value) => !lawful.isValid(value))).toEqual([]);
    });

    test('every value shrinks to smaller valid ones, and comes to an end', () => {
      const traces = shrinkings(arbitrary(), lawful);
      expect(traces.flatMap(({ tried }) => tried.filter((value) => !lawful.isValid(value)))).toEqual([]);
      expect(traces.filter(({ failing }) => new Set(failing).size < failing.length)).toEqual([]);
      expect(traces.some(({ failing }) => failing.length > 1)).toBe(lawful.shrinks ?? true);
    });
  });
}

function drawn<T>(arbitrary: Arbitrary<T>, { draws = 100 }: Lawful<T>): readonly T[] {
  return fc.sample(arbitrary, { seed: 20, numRuns: draws });
}

/**
 * Shrinks some values under properties that fail always, and under ones that fail on some values only, so that other
 * branches are taken as well.
 */
function shrinkings<T>(arbitrary: Arbitrary<T>, { draws = 100 }: Lawful<T>): readonly Shrinking<T>[] {
  const seeds = Array.from({ length: Math.max(2, Math.round(draws / 25)) }, (_, seed) => seed);
  return seeds.flatMap((seed) => breaking.map(({ limit, breaks }) => shrinkingOf(limit(arbitrary), breaks, seed)));
}

interface Breaking {
  readonly breaks: (text: string, first: string) => boolean;
  /** That shrinking ends by itself is for the first one to show; the others stop after so many steps. */
  readonly limit: <T>(arbitrary: Arbitrary<T>) => Arbitrary<T>;
}

const steps = 150;

const breaking: readonly Breaking[] = [
  { breaks: () => true, limit: (arbitrary) => arbitrary },
  { breaks: (text, first) => text.length >= first.length / 2, limit: (each) => fc.limitShrink(each, steps) },
  { breaks: (text) => hash(text) % 3 !== 0, limit: (each) => fc.limitShrink(each, steps) },
];

interface Shrinking<T> {
  /** All values that were tried. */
  readonly tried: readonly T[];
  /** Those that failed, as text: the way to the smallest one. */
  readonly failing: readonly string[];
}

function shrinkingOf<T>(
  arbitrary: Arbitrary<T>,
  breaks: (text: string, first: string) => boolean,
  seed: number,
): Shrinking<T> {
  const tried: T[] = [];
  const failing: string[] = [];
  let first: string | undefined;
  const property = fc.property(arbitrary, (value) => {
    const text = JSON.stringify(value) ?? '';
    first ??= text;
    tried.push(value);
    if (!breaks(text, first)) return true;
    failing.push(text);
    return false;
  });
  fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true });
  return { tried, failing };
}

function hash(text: string): number {
  let sum = 7;
  for (let index = 0; index < text.length; index += 1) sum = (sum * 31 + text.charCodeAt(index)) % 65_521;
  return sum;
}
