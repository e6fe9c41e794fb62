import type { ForeignReading, Members } from './reading.ts';
import { isRecord } from '../jsonSchema.ts';
import { below, namesIn } from '../pointer.ts';

/**
 * Says in each alternative which values its discriminator has, where the alternative does not say so itself: OpenAPI has
 * them in `discriminator.mapping`, or takes the names of the schemas.
 *
 * @param known - the schema as it was read
 * @param source - the schema as it stands in the document
 */
export function discriminated(known: Members, source: Members, pointer: string, reading: ForeignReading): Members {
  const { discriminator } = source;
  const name = isRecord(discriminator) ? discriminator['propertyName'] : undefined;
  if (typeof name !== 'string' || !isRecord(discriminator)) return known;
  const mapping = isRecord(discriminator['mapping']) ? discriminator['mapping'] : undefined;
  return (['oneOf', 'anyOf'] as const).reduce((members, keyword) => {
    const [branches, sources] = [members[keyword], source[keyword]];
    if (!Array.isArray(branches) || !Array.isArray(sources)) return members;
    const read = branches.map((branch: unknown, index) => {
      const values = valuesOf(sources[index], name, mapping, reading);
      if (values === undefined) return branch;
      const message = `The discriminator says that ${name} is ${values.join(' or ')} here. It is taken as an enum.`;
      reading.say(below(pointer, keyword, index), 'discriminator', 'translated', message);
      return { allOf: [branch, { properties: { [name]: { enum: values } }, required: [name] }] };
    });
    return { ...members, [keyword]: read };
  }, known);
}

/** The values that the discriminator has in one alternative; nothing where the alternative itself lists them. */
function valuesOf(
  branch: unknown,
  name: string,
  mapping: Members | undefined,
  reading: ForeignReading,
): readonly string[] | undefined {
  const reference = isRecord(branch) ? branch['$ref'] : undefined;
  if (typeof reference !== 'string' || listsValues(branch, name, reading, 0)) return undefined;
  const own = namesIn(reference).at(-1) ?? '';
  if (mapping === undefined) return [own];
  const values = Object.keys(mapping).filter((value) => mapping[value] === reference || mapping[value] === own);
  return values.length === 0 ? undefined : values;
}

const deepest = 5;

/** Whether a schema lists the values of one of its members, itself or in a part of its `allOf`. */
function listsValues(schema: unknown, name: string, reading: ForeignReading, depth: number): boolean {
  const each = followed(schema, reading, 0);
  if (!isRecord(each) || depth > deepest) return false;
  const { properties, allOf } = each;
  const member = isRecord(properties) && Object.hasOwn(properties, name) ? followed(properties[name], reading, 0) : {};
  if (isRecord(member) && ('const' in member || Array.isArray(member['enum']))) return true;
  return Array.isArray(allOf) && allOf.some((part) => listsValues(part, name, reading, depth + 1));
}

function followed(schema: unknown, reading: ForeignReading, depth: number): unknown {
  const reference = isRecord(schema) ? schema['$ref'] : undefined;
  if (typeof reference !== 'string' || depth > deepest) return schema;
  return followed(reading.target(reference), reading, depth + 1);
}
