import fc, { type Arbitrary } from 'fast-check';

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
