import fc from 'fast-check';

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
