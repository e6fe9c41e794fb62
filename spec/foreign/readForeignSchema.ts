import { discriminated } from './discriminator.ts';
import { fits, isType, kept, kindNames, kindOf, type KeywordKind, silent } from './keywords.ts';
import { modernised } from './dialects.ts';
import { readFormat, readStringKeywords } from './strings.ts';
import { isRecord, type JsonSchema } from '../jsonSchema.ts';
import { below } from '../pointer.ts';
import { consistent } from './contradictions.ts';
import type { ForeignReading, Members } from './reading.ts';
import { shown } from './shown.ts';

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
    const message = `The $ref "${reference}" leads to no schema of the document. No value is generated there.`;
    reading.say(below(pointer, '$ref'), '$ref', 'narrowed', message);
    return false;
  }
  const known = knownKeywords(members, pointer, reading);
  return consistent(discriminated(known, members, pointer, reading), members, pointer, reading);
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
