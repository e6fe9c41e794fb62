import type { Compile, CompiledSchema } from './compile.ts';
import type { Dereference } from './dereference.ts';
import { isRecord } from './jsonSchema.ts';

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Compiles every schema below `components.schemas`, whether or not anything refers to it.
 *
 * @throws ContractError for a schema that does not compile or whose references cannot be written out
 */
export function parseSchemas(
  document: Mapping,
  dereference: Dereference,
  compile: Compile,
): ReadonlyMap<string, CompiledSchema> {
  const components = document['components'];
  const schemas = isRecord(components) && isRecord(components['schemas']) ? components['schemas'] : {};
  return new Map(
    Object.keys(schemas).map((name) => {
      const reference = `#/components/schemas/${escape(name)}`;
      return [name, compile(reference, dereference({ $ref: reference }))];
    }),
  );
}

/**
 * Compiles every schema of parameters, headers and bodies within a part of the document, used or not.
 *
 * @param part - with its references written out inline
 * @param where - a JSON Pointer to the part, for messages
 * @throws ContractError for a schema that does not compile
 */
export function compileWithin(part: unknown, where: string, compile: Compile): void {
  if (Array.isArray(part)) {
    part.forEach((item, index) => {
      compileWithin(item, `${where}/${index}`, compile);
    });
  }
  if (!isRecord(part)) return;
  for (const [name, value] of Object.entries(part)) {
    const place = `${where}/${escape(name)}`;
    if (name === 'schema') compile(place, value);
    else if (!/^(x-.*|examples?)$/.test(name)) compileWithin(value, place, compile);
  }
}

function escape(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
