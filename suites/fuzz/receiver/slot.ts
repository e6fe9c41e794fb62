import fc, { type Arbitrary } from 'fast-check';

/** The names under which a sequence keeps its notifications: few, so that later steps come back to what earlier ones sent. */
const slots = ['a', 'b', 'c', 'd'] as const;

/** A name that a sequence gives to a notification. Naming another one so forgets the name, not what is owed to the first. */
export type Slot = (typeof slots)[number];

/** Slots, the first ones most. Shrinks to `a`. */
export const slot: Arbitrary<Slot> = fc.constantFrom('a', 'b', 'a', 'b', 'a', 'c', 'd');
