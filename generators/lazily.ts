import { Arbitrary, type Random, type Stream, type Value } from 'fast-check';

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
