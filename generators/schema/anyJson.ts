import fc, { type Arbitrary } from 'fast-check';

import type { Json } from '../json/json.ts';
import { lazily } from '../arbitraries.ts';
import type { SchemaChoices } from './schemaContext.ts';
import { text } from './text.ts';

/** For any JSON at all, two levels deep, with text of the kind that is asked for. Shrinks to null. */
export function anyJson(options: SchemaChoices): Arbitrary<Json> {
  const leaf: Arbitrary<Json> = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    text({ kind: options.text, nul: options.nul }),
  );
  return fc.oneof({ arbitrary: leaf, weight: 4 }, fc.array(leaf, { maxLength: 3 }), members(leaf, options));
}

function members(value: Arbitrary<Json>, options: SchemaChoices): Arbitrary<Json> {
  return fc.dictionary(memberName(options), value, { maxKeys: 3, noNullPrototype: true });
}

const plain = lazily(() => fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/));

/**
 * For names of members that no schema declares. Never `__proto__`: what a receiver makes of that name is a matter of
 * its own, not one of validity.
 */
export function memberName(options: SchemaChoices): Arbitrary<string> {
  if (options.text === 'ascii') return plain;
  const unusual = text({ kind: options.text, nul: options.nul, minLength: 1, maxLength: 12 });
  return fc.oneof(plain, unusual).filter((name) => name !== '__proto__');
}
