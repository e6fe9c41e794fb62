import fc, { type Arbitrary } from 'fast-check';

import type { SchemaChoices } from './schemaContext.ts';
import { text } from './text.ts';

/**
 * For names of members that no schema declares. Never `__proto__`: what a receiver makes of that name is a matter of
 * its own, not one of validity.
 */
export function memberName(options: SchemaChoices): Arbitrary<string> {
  const plain = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
  if (options.text === 'ascii') return plain;
  const unusual = text({ kind: options.text, nul: options.nul, minLength: 1, maxLength: 12 });
  return fc.oneof(plain, unusual).filter((name) => name !== '__proto__');
}
