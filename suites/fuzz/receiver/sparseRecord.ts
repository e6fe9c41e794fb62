import fc, { type Arbitrary } from 'fast-check';

type Required<R> = { readonly [K in keyof R]: Arbitrary<R[K]> };

/** A member that is there once in so many records, on average. */
type Seldom<O> = { readonly [K in keyof O]-?: readonly [rarity: number, Arbitrary<Exclude<O[K], undefined>>] };

/**
 * For records of which most members are left out most of the time: what is there says what is special. They survive JSON
 * unchanged. Shrinks to the record without the optional members.
 *
 * @param optional - each with its rarity: 4 means that it is there in one of four
 */
export function sparseRecord<R extends object, O extends object>(
  required: Required<R>,
  optional: Seldom<O>,
): Arbitrary<R & O> {
  const members = Object.entries<readonly [number, Arbitrary<unknown>]>(optional).map(
    ([name, [rarity, arbitrary]]) => [name, seldom(rarity, arbitrary)] as const,
  );
  const all: Record<string, Arbitrary<unknown>> = { ...required, ...Object.fromEntries(members) };
  return fc.record(all, { noNullPrototype: true }).map(withoutAbsent) as Arbitrary<R & O>;
}

function seldom(rarity: number, arbitrary: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.constant(undefined), weight: rarity - 1 },
    { arbitrary, weight: 1 },
  );
}

function withoutAbsent(record: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
