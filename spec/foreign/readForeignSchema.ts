import { discriminated } from './discriminator.ts';
import { bounds, fits, isType, kept, kindNames, kindOf, type KeywordKind, silent } from './keywords.ts';
import { modernised } from './dialects.ts';
import { readFormat, readStringKeywords } from './strings.ts';
import { isRecord, type JsonSchema, type SchemaObject } from '../jsonSchema.ts';
import { below } from '../pointer.ts';
import type { ForeignReading, Members } from './reading.ts';

/**
 * Reads a schema of somebody else's document as JSON Schema 2020-12 that compiles and that values can be generated for.
 * What cannot be taken as it stands is said, and translated or left out; nothing is refused.
 *
 * @param pointer - where it stands in the document
 * @returns a schema whose references lead where `reading.refer` says
 */
export function readForeignSchema(value: unknown, pointer: string, reading: ForeignReading): JsonSchema {
  if (typeof value === 'boolean') return value;
  if (!isRecord(value)) {
    reading.say(
      pointer,
      'schema',
      'loosened',
      `${shown(value)} stands where a schema should. Any value is taken there.`,
    );
    return true;
  }
  const members = modernised(value, pointer, reading);
  const reference = members['$ref'];
  if (typeof reference === 'string' && reading.refer(reference) === undefined) {
    const message = `The $ref "${reference}" leads nowhere within the document. No value is generated there.`;
    reading.say(below(pointer, '$ref'), '$ref', 'narrowed', message);
    return false;
  }
  const known = knownKeywords(members, pointer, reading);
  return consistent(discriminated(known, members, pointer, reading), pointer, reading);
}

function knownKeywords(members: Members, pointer: string, reading: ForeignReading): Members {
  const entries = Object.entries(members).flatMap(([keyword, value]): (readonly [string, unknown])[] => {
    const kind = kindOf.get(keyword);
    if (kind !== undefined) return fitting(keyword, value, kind, below(pointer, keyword), reading);
    if (kept.has(keyword)) return [[keyword, value]];
    if (!silent.has(keyword)) ignore(keyword, pointer, reading);
    return [];
  });
  return readStringKeywords(
    readFormat(typed(Object.fromEntries(entries), pointer, reading), pointer, reading),
    pointer,
    reading,
  );
}

function ignore(keyword: string, pointer: string, reading: ForeignReading): void {
  const what = keyword.startsWith('x-') ? 'an extension' : 'not known';
  const message = `The keyword ${keyword} is ${what}. It is ignored wherever it stands.`;
  reading.say(below(pointer, keyword), keyword, keyword.startsWith('x-') ? 'ignored' : 'loosened', message, keyword);
}

function fitting(
  keyword: string,
  value: unknown,
  kind: KeywordKind,
  pointer: string,
  reading: ForeignReading,
): (readonly [string, unknown])[] {
  if (fits[kind](value)) return [[keyword, inner(keyword, value, kind, pointer, reading)]];
  if (Array.isArray(value) && value.length === 0) return [];
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isNumber = kind === 'natural' || kind === 'number' || kind === 'step';
  const found = `${keyword} is ${shown(value)}, where ${kindNames[kind]} is valid.`;
  if (isNumber && fits[kind](read)) {
    reading.say(pointer, keyword, 'translated', `${found} It is taken for ${String(read)}.`);
    return [[keyword, read]];
  }
  reading.say(pointer, keyword, 'loosened', `${found} It was left out.`);
  return [];
}

/** The value of a keyword with the schemas in it read as well. */
function inner(keyword: string, value: unknown, kind: KeywordKind, pointer: string, reading: ForeignReading): unknown {
  if (keyword === '$ref') return reading.refer(value as string);
  if (keyword === 'required') return [...new Set(value as string[])];
  if (kind === 'schema') return readForeignSchema(value, pointer, reading);
  if (kind === 'schemas') {
    return (value as unknown[]).map((each, index) => readForeignSchema(each, below(pointer, index), reading));
  }
  if (kind !== 'named') return value;
  const entries = Object.entries(value as Members);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, readForeignSchema(each, below(pointer, name), reading)]),
  );
}

/** Leaves out types that JSON Schema does not have. */
function typed(members: Members, pointer: string, reading: ForeignReading): Members {
  const { type, ...rest } = members;
  if (type === undefined) return members;
  const named = [type].flat();
  const known = [...new Set(named.filter(isType))];
  if (known.length === named.length) return members;
  const place = below(pointer, 'type');
  if (known.length === 0 && named.includes('file')) {
    reading.say(place, 'type', 'translated', 'The type file is none of JSON Schema. It is taken for string.');
    return { ...rest, type: 'string' };
  }
  const strange = named.filter((each) => !isType(each)).map(shown);
  const left = known.length === 0 ? 'Values of any type are taken.' : `It was left out beside ${known.join(', ')}.`;
  reading.say(place, 'type', 'loosened', `The type ${strange.join(', ')} is none of JSON Schema. ${left}`);
  return known.length === 0 ? rest : { ...rest, type: known };
}

/** Leaves out keywords that no value can meet together. */
function consistent(members: Members, pointer: string, reading: ForeignReading): SchemaObject {
  const excluded = bounds.filter(([lower, upper]) => isAbove(members, lower, upper));
  for (const [lower, upper] of excluded) {
    const message = `${lower} is ${shown(members[lower])} and ${upper} is ${shown(members[upper])}: no value meets both. Both were left out.`;
    reading.say(below(pointer, lower), lower, 'loosened', message);
  }
  const out = new Set(excluded.flat());
  const rest = Object.fromEntries(Object.entries(members).filter(([keyword]) => !out.has(keyword)));
  return withListedTypes(rest, pointer, reading);
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

/** A value as it is shown in a message. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
