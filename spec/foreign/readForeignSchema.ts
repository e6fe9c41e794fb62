import { consistent, fits, isType, kept, kindNames, kindOf, shown, silent } from './keywords.ts';
import type { ForeignReading, KeywordKind } from './keywords.ts';
import { readFormat, readStringKeywords } from './strings.ts';
import { isRecord, type JsonSchema, type Mapping } from '../jsonSchema.ts';
import { below, namesIn } from '../pointer.ts';
import { type Compile, createLenientCompile } from '../compile.ts';

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

function knownKeywords(members: Mapping, pointer: string, reading: ForeignReading): Mapping {
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
  const entries = Object.entries(value as Mapping);
  return Object.fromEntries(
    entries.map(([name, each]) => [name, readForeignSchema(each, below(pointer, name), reading)]),
  );
}

/** Leaves out types that JSON Schema does not have. */
function typed(members: Mapping, pointer: string, reading: ForeignReading): Mapping {
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

/**
 * Writes what OpenAPI 3.0 and older drafts of JSON Schema say in the words of JSON Schema 2020-12: `nullable`,
 * `exclusiveMinimum: true`, `items` as a list, `additionalItems`, `dependencies`.
 */
function modernised(schema: Mapping, pointer: string, reading: ForeignReading): Mapping {
  const steps = [nullable, exclusive, tuples, dependencies, conditions];
  return steps.reduce((members, step) => step(members, pointer, reading), schema);
}

type Step = (members: Mapping, pointer: string, reading: ForeignReading) => Mapping;

const nullable: Step = (members, pointer, { say, isOpenApi30 }) => {
  const { type, nullable: isNullable } = members;
  if (isNullable !== true) return members;
  if (isOpenApi30) return type === undefined ? members : { ...members, type: [...new Set([type, 'null'].flat())] };
  const message =
    "nullable is a keyword of OpenAPI 3.0 only; 3.1 has the type 'null'. No null is generated where it stands.";
  say(below(pointer, 'nullable'), 'nullable', 'narrowed', message, 'nullable');
  return members;
};

const exclusive: Step = (members, pointer, { say, isOpenApi30 }) =>
  (['Minimum', 'Maximum'] as const).reduce((all, end) => {
    const [keyword, bound] = [`exclusive${end}`, end.toLowerCase()];
    const { [keyword]: value, [bound]: number, ...rest } = all;
    if (typeof value !== 'boolean') return all;
    if (!isOpenApi30) {
      const message = `${keyword} is ${value}, as in OpenAPI 3.0; since then it is the bound itself. It is taken as it was meant.`;
      say(below(pointer, keyword), keyword, 'translated', message);
    }
    return { ...rest, ...(number === undefined ? {} : { [value ? keyword : bound]: number }) };
  }, members);

/**
 * Says `if` in a part of its own. The validator forgets what the parts beside an `if` that does not hold have evaluated, and would
 * refuse right members.
 */
const conditions: Step = (members) => {
  const { if: condition, allOf, unevaluatedProperties } = members;
  if (condition === undefined || unevaluatedProperties === undefined || !Array.isArray(allOf)) return members;
  const parts = Object.groupBy(Object.entries(members), ([name]) =>
    /^(if|then|else)$/.test(name) ? 'conditional' : 'others',
  );
  const conditional = Object.fromEntries(parts.conditional ?? []);
  return { ...Object.fromEntries(parts.others ?? []), allOf: [...(allOf as unknown[]), conditional] };
};

const tuples: Step = (members, pointer, { say }) => {
  const { items, additionalItems, ...rest } = members;
  if (!Array.isArray(items)) return members;
  const message = 'items is a list, as in older drafts; it is called prefixItems now. It is taken as it was meant.';
  say(below(pointer, 'items'), 'items', 'translated', message);
  return {
    ...rest,
    prefixItems: items as unknown[],
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
};

const dependencies: Step = (members, pointer, { say }) => {
  const { dependencies: all, ...rest } = members;
  if (!isRecord(all)) return members;
  const message = 'dependencies is now called dependentRequired and dependentSchemas. It is taken as it was meant.';
  say(below(pointer, 'dependencies'), 'dependencies', 'translated', message);
  const [names, schemas] = [true, false].map((isList) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => Array.isArray(value) === isList)),
  );
  return { dependentRequired: names, dependentSchemas: schemas, ...rest };
};

/**
 * Says in each alternative which values its discriminator has, where the alternative does not say so itself: OpenAPI has
 * them in `discriminator.mapping`, or takes the names of the schemas.
 *
 * @param known - the schema as it was read
 * @param source - the schema as it stands in the document
 */
function discriminated(known: Mapping, source: Mapping, pointer: string, reading: ForeignReading): Mapping {
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
  mapping: Mapping | undefined,
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

/**
 * Makes a compiler for the schemas of the API in somebody else's document, whose references are written out inline. Each is
 * read as those of deliveries are, in the dialect of the document, when it is first asked for. What it cannot take is not
 * said: a service is not tested for what its document holds.
 */
export function createForeignCompile(document: Mapping): Compile {
  const compile = createLenientCompile();
  const reading: ForeignReading = {
    say: () => {},
    refer: (reference) => reference,
    target: () => undefined,
    isOpenApi30: String(document['openapi']).startsWith('3.0'),
  };
  const read = new Map<unknown, JsonSchema>();
  return (where, received) => {
    const made = (): ReturnType<Compile> => {
      const schema = read.get(received) ?? readForeignSchema(received, '', reading);
      read.set(received, schema);
      return compile(where, schema);
    };
    let known: ReturnType<Compile> | undefined;
    return {
      get schema() {
        return (known ??= made()).schema;
      },
      get validate() {
        return (known ??= made()).validate;
      },
    };
  };
}
