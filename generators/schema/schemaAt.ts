import type { JsonSchema, SchemaObject } from '../../spec/jsonSchema.ts';
import type { Json } from '../json/json.ts';
import { fromPointer } from '../json/jsonPointer.ts';

/**
 * The schemas that speak of the member at a JSON Pointer of the value, found through `properties` and `allOf`. What
 * stands in alternatives (`anyOf`, `if`, ...) does not count.
 */
export function schemasAt(schema: JsonSchema, pointer: string): readonly SchemaObject[] {
  const direct = fromPointer(pointer).reduce<readonly SchemaObject[]>(
    (schemas, name) => schemas.flatMap((each) => all(each.properties?.[name])),
    all(schema),
  );
  return direct;
}

/** The values to which `enum` and `const` restrict the member at a JSON Pointer, or undefined where they do not. */
export function valuesAt(schema: JsonSchema, pointer: string): readonly Json[] | undefined {
  const lists = schemasAt(schema, pointer).flatMap((each) => [
    ...('const' in each ? [[each.const]] : []),
    ...(each.enum === undefined ? [] : [each.enum]),
  ]);
  return lists.toSorted((one, other) => one.length - other.length)[0] as readonly Json[] | undefined;
}

function all(schema: JsonSchema | undefined): readonly SchemaObject[] {
  if (schema === undefined || typeof schema === 'boolean') return [];
  return [schema, ...(schema.allOf ?? []).flatMap(all)];
}
