import fc, { type Arbitrary } from 'fast-check';

/**
 * An id that is not any fresh one: it shares digits with that of a slot, or begins with a certain digit (0 to 15). `digits` is how
 * many are shared, or which one differs.
 */
export type NearId =
  | { readonly slot: Slot; readonly shares: 'the start' | 'the end' | 'all but one digit'; readonly digits: number }
  | { readonly begins: number };

const length = 32;

/** Where a uuid says its version and its variant (RFC 9562, section 4): a change there would make another kind of id. */
const fixed: ReadonlySet<number> = new Set([12, 16]);

/** The names under which a sequence keeps its notifications: few, so that later steps come back to what earlier ones sent. */
const slots = ['a', 'b', 'c', 'd'] as const;

/** A name that a sequence gives to a notification. Naming another one so forgets the name, not what is owed to the first. */
export type Slot = (typeof slots)[number];

/** Slots, the first ones most. Shrinks to `a`. */
export const slot: Arbitrary<Slot> = fc.constantFrom('a', 'b', 'a', 'b', 'a', 'c', 'd');

/** Ids near to others. Shrinks to one that shares the first digit with slot `a`. */
export const nearId: Arbitrary<NearId> = fc.oneof(
  {
    arbitrary: fc.record(
      {
        slot,
        shares: fc.constantFrom('the start' as const, 'all but one digit', 'the end'),
        digits: fc.integer({ min: 1, max: length - 1 }),
      },
      { noNullPrototype: true },
    ),
    weight: 4,
  },
  {
    arbitrary: fc.record({ begins: fc.nat({ max: 15 }) }, { noNullPrototype: true }),
    weight: 1,
  },
);

/**
 * A fresh uuid made near to another.
 *
 * @param of - the id of the slot that it is near to, where there is one
 */
export function nearTo(fresh: string, near: NearId, of: string | undefined): string {
  if ('begins' in near) return near.begins.toString(16) + fresh.slice(1);
  if (of === undefined) return fresh;
  const [own, other] = [digitsOf(fresh), digitsOf(of)];
  if (near.shares === 'the start') return uuid(other.slice(0, near.digits) + own.slice(near.digits));
  if (near.shares === 'the end') return uuid(own.slice(0, -near.digits) + other.slice(-near.digits));
  const place = fixed.has(near.digits) ? near.digits + 1 : near.digits;
  return uuid(other.slice(0, place) + (other[place] === '0' ? '1' : '0') + other.slice(place + 1));
}

/** In a few words: `an id that shares its first 3 digits with a`. */
export function describeNearId(near: NearId): string {
  if ('begins' in near) return `an id that begins with ${near.begins.toString(16)}`;
  if (near.shares === 'all but one digit') return `an id that differs from that of ${near.slot} in one digit`;
  const which = near.shares === 'the start' ? 'first' : 'last';
  const shared = near.digits === 1 ? `its ${which} digit` : `its ${which} ${near.digits} digits`;
  return `an id that shares ${shared} with that of ${near.slot}`;
}

function digitsOf(id: string): string {
  return id.replaceAll('-', '');
}

function uuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
