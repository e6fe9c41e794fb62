import type { JsonSchema } from '../../spec/jsonSchema.ts';
import type { Compiled, SchemaPlace } from './schemaContext.ts';

/** What was compiled of the parts of documents, by the schema that stands there and all that decides what is made of it. */
const parts = new WeakMap<object, Map<string, Compiled>>();

/** @param key - what decides what is made of these places, beside the choices */
type SharedParts = (
  places: readonly SchemaPlace[],
  key: string,
  compile: () => Compiled | undefined,
) => Compiled | undefined;

/**
 * Makes the function that compiles what several schemas of one document share once for all of them: what they hold in their
 * `$defs` is the very same object then.
 *
 * @param choices - how values are made, as a text
 */
export function sharedParts(root: JsonSchema, choices: string): SharedParts {
  const hasParts = typeof root !== 'boolean' && root['$defs'] !== undefined;
  return (places, key, compile) => {
    const schema = places[0]?.schema;
    if (!hasParts || typeof schema !== 'object' || !places.every(isShared)) return compile();
    const made = parts.get(schema) ?? new Map<string, Compiled>();
    parts.set(schema, made);
    const id = `${choices}\n${key}`;
    const compiled = made.get(id) ?? compile();
    if (compiled !== undefined) made.set(id, compiled);
    return compiled;
  };
}

function isShared({ pointer }: SchemaPlace): boolean {
  return pointer.startsWith('/$defs/');
}
