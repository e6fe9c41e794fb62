import fc, { Arbitrary, type Random, type Stream, type Value } from 'fast-check';

/**
 * The same arbitrary, made at its first use: to make one of strings takes fast-check ten milliseconds and more, and most
 * commands use few of those that stand ready.
 */
export function lazily<T>(make: () => Arbitrary<T>): Arbitrary<T> {
  return new LazyArbitrary(make);
}

class LazyArbitrary<T> extends Arbitrary<T> {
  readonly #make: () => Arbitrary<T>;
  #made: Arbitrary<T> | undefined;

  constructor(make: () => Arbitrary<T>) {
    super();
    this.#make = make;
  }

  override generate(random: Random, biasFactor: number | undefined): Value<T> {
    return this.#arbitrary.generate(random, biasFactor);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#arbitrary.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): Stream<Value<T>> {
    return this.#arbitrary.shrink(value, context);
  }

  get #arbitrary(): Arbitrary<T> {
    return (this.#made ??= this.#make());
  }
}

/**
 * For lists of which each item has to be tried: every value is the whole list, and shrinks to parts of it, down to single
 * items.
 *
 * @param items - at least one
 * @example fc.assert(fc.property(wholeList(['PUT', 'PATCH']), (methods) => methods.every(isRefused)))
 */
export function wholeList<T>(items: readonly T[]): fc.Arbitrary<readonly T[]> {
  return new WholeList(items);
}

class WholeList<T> extends fc.Arbitrary<readonly T[]> {
  readonly #items: readonly T[];
  readonly #parts: fc.Arbitrary<readonly T[]>;

  constructor(items: readonly T[]) {
    super();
    this.#items = items;
    this.#parts = fc.subarray([...items]);
  }

  override generate(): fc.Value<readonly T[]> {
    return new fc.Value([...this.#items], undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly T[] {
    return this.#parts.canShrinkWithoutContext(value) && value.length > 0;
  }

  override shrink(value: readonly T[], context: unknown): fc.Stream<fc.Value<readonly T[]>> {
    return this.#parts.shrink(value, context).filter((part) => part.value.length > 0);
  }
}

/**
 * For sizes that matter only when they are large: values lie in the upper half, and shrink like `fc.nat` down to 0.
 *
 * @param max - the largest value, a whole number above 0
 * @example fc.assert(fc.property(largeNat(20_000), (depth) => parses('['.repeat(depth) + ']'.repeat(depth))))
 */
export function largeNat(max: number): fc.Arbitrary<number> {
  return new LargeNat(max);
}

class LargeNat extends fc.Arbitrary<number> {
  readonly #max: number;
  readonly #nat: fc.Arbitrary<number>;

  constructor(max: number) {
    super();
    this.#max = max;
    this.#nat = fc.nat({ max });
  }

  override generate(random: fc.Random): fc.Value<number> {
    return new fc.Value(random.nextInt(Math.ceil(this.#max / 2), this.#max), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is number {
    return this.#nat.canShrinkWithoutContext(value);
  }

  override shrink(value: number, context: unknown): fc.Stream<fc.Value<number>> {
    return this.#nat.shrink(value, context);
  }
}

/**
 * Draws as one arbitrary does, and shrinks as another one that could have drawn the value, too: for what is drawn as one
 * of a few odd values, and should be shown as the smallest of all.
 *
 * @param drawn - what values are drawn from
 * @param shrunk - can shrink each of these values without knowing how it was drawn
 * @example shrinkingAs(fc.constantFrom(13, 12), fc.integer({ min: 1, max: 14 })) // 13, which shrinks to 1, 7, 10, 12
 */
export function shrinkingAs<T>(drawn: Arbitrary<T>, shrunk: Arbitrary<T>): Arbitrary<T> {
  return new ShrinkingAs(drawn, shrunk);
}

class ShrinkingAs<T> extends fc.Arbitrary<T> {
  readonly #drawn: Arbitrary<T>;
  readonly #shrunk: Arbitrary<T>;

  constructor(drawn: Arbitrary<T>, shrunk: Arbitrary<T>) {
    super();
    this.#drawn = drawn;
    this.#shrunk = shrunk;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return new fc.Value(this.#drawn.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is T {
    return this.#shrunk.canShrinkWithoutContext(value);
  }

  shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#shrunk.shrink(value, context);
  }
}
