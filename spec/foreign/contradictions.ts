import { isRecord, type SchemaObject } from '../jsonSchema.ts';
import { below } from '../pointer.ts';
import { bounds, isType } from './keywords.ts';
import { type ForeignReading, type Members, shown } from './reading.ts';

/**
 * Leaves out keywords that no value can meet together.
 *
 * @param members - the schema as it was read
 * @param source - the schema as it stands in the document
 */
export function consistent(members: Members, source: Members, pointer: string, reading: ForeignReading): SchemaObject {
  const excluded = bounds.filter(([lower, upper]) => isAbove(members, lower, upper));
  for (const [lower, upper] of excluded) {
    const message = `${lower} is ${shown(members[lower])} and ${upper} is ${shown(members[upper])}: no value meets both. Both were left out.`;
    reading.say(below(pointer, lower), lower, 'loosened', message);
  }
  const out = new Set(excluded.flat());
  const rest = Object.fromEntries(Object.entries(members).filter(([keyword]) => !out.has(keyword)));
  return withPartTypes(withListedTypes(rest, pointer, reading), source, pointer, reading);
}

function isAbove(members: Members, lower: string, upper: string): boolean {
  const [least, most] = [members[lower], members[upper]];
  if (typeof least !== 'number' || typeof most !== 'number') return false;
  return least > most || (least === most && (lower + upper).includes('exclusive'));
}

function withListedTypes(members: Members, pointer: string, reading: ForeignReading): SchemaObject {
  const { type, ...rest } = members as SchemaObject;
  const listed = 'const' in rest ? [rest.const] : rest.enum;
  if (type === undefined || listed === undefined || listed.some((value) => isOf([type].flat(), value))) return members;
  const message = `None of the listed values (${listed.slice(0, 3).map(shown).join(', ')}) is of the type ${[type].flat().join(' or ')}. The type was left out.`;
  reading.say(below(pointer, 'type'), 'type', 'loosened', message);
  return rest;
}

function isOf(types: readonly string[], value: unknown): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value === 'number')
    return types.includes('number') || (Number.isInteger(value) && types.includes('integer'));
  return types.includes(typeof value);
}

/** Where a part of `allOf` (or what a `$ref` leads to) has other types than stand beside it, the part is meant. */
function withPartTypes(members: SchemaObject, source: Members, pointer: string, reading: ForeignReading): SchemaObject {
  const { type, ...rest } = members;
  const own = type === undefined ? undefined : [type].flat();
  const parts = [...(Array.isArray(source['allOf']) ? (source['allOf'] as unknown[]) : []), { $ref: source['$ref'] }];
  const other = parts
    .map((part) => typesOf(part, reading))
    .find((types) => own && types && !own.some((each) => isAmong(each, types)));
  if (own === undefined || other === undefined) return members;
  const message = `The type is ${own.join(' or ')} here and ${other.join(' or ')} in a part of it: no value is both. The type here was left out.`;
  reading.say(below(pointer, 'type'), 'type', 'loosened', message);
  return rest;
}

function isAmong(type: string, types: readonly string[]): boolean {
  return (
    types.includes(type) ||
    (type === 'integer' && types.includes('number')) ||
    (type === 'number' && types.includes('integer'))
  );
}

function typesOf(schema: unknown, reading: ForeignReading, depth = 0): readonly string[] | undefined {
  if (!isRecord(schema) || depth > 5) return undefined;
  const { $ref: reference, type } = schema;
  if (typeof reference === 'string') return typesOf(reading.target(reference), reading, depth + 1);
  const types = [type].flat().filter(isType);
  return types.length > 0 ? types : undefined;
}
