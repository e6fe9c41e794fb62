import fc, { type Arbitrary } from 'fast-check';

import type { Json } from '../json/json.ts';
import { memberName } from './memberName.ts';
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
