import fc from 'fast-check';

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
