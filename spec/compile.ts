import { type ValidateFunction, Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

import { ContractError } from './contractError.ts';
import { type JsonSchema, type SchemaObject, isRecord } from './jsonSchema.ts';
import { decoded, namesIn } from './pointer.ts';
import { messageOf } from './messageOf.ts';

export type { ValidateFunction } from 'ajv/dist/2020.js';

/** A schema in its simplest form, and the function that validates against exactly that form. */
export interface CompiledSchema {
  readonly schema: JsonSchema;
  /** Reports every error. */
  readonly validate: ValidateFunction;
}

/** Compiles a schema whose references are written out inline. `where` names it in the message of an error. */
export type Compile = (where: string, schema: unknown) => CompiledSchema;

/** Keywords that mean nothing to a validator: those that OpenAPI 3.1 adds to JSON Schema, and this kit's own. */
const annotations = ['discriminator', 'example', 'externalDocs', 'xml', 'x-gap'];

/**
 * Makes a compiler: JSON Schema 2020-12 with its formats, every keyword known. Every schema is proven to compile at
 * once; one that differs from a proven one in the texts of its constants alone, as the events of a catalogue do, is
 * compiled when its `validate` is first asked for.
 *
 * @param trusted - all that it will be given is known to compile. Nothing is proven then
 * @throws (when called) ContractError for an unknown keyword, an unknown format, or a keyword that makes no sense
 */
export function createCompile({ trusted }: { readonly trusted: boolean }): Compile {
  const ajv = createAjv();
  const compiled = new Map<unknown, CompiledSchema>();
  const proven = new Set<string>();

  function compile(where: string, received: unknown): CompiledSchema {
    if (trusted)
      return lazily(
        () => simplify(received as JsonSchema),
        (schema) => ajv.compile(schema),
      );
    const schema = provenOnce(where, received);
    return lazily(
      () => schema,
      () => ajv.compile(schema),
    );
  }

  function provenOnce(where: string, received: unknown): JsonSchema {
    const shape = shapeOf(received);
    if (proven.has(shape)) return simplify(received as JsonSchema);
    const schema = prove(where, received);
    proven.add(shape);
    return schema;
  }

  function prove(where: string, received: unknown): JsonSchema {
    if (!isSchema(received) || ajv.validateSchema(received) !== true) throw meaningless(where, ajv.errorsText());
    const schema = simplify(received);
    try {
      ajv.compile(schema);
      return schema;
    } catch (cause) {
      throw refused(where, cause);
    }
  }

  return (where, schema) => {
    const known = compiled.get(schema) ?? compile(where, schema);
    compiled.set(schema, known);
    return known;
  };
}

/** What decides whether a schema compiles: all of it but the texts of its constants. */
function shapeOf(schema: unknown): string {
  return JSON.stringify(schema, (keyword, value: unknown) =>
    keyword === 'const' && typeof value === 'string' ? '' : value,
  );
}

function lazily(read: () => JsonSchema, compile: (schema: JsonSchema) => ValidateFunction): CompiledSchema {
  let schema: JsonSchema | undefined;
  let validate: ValidateFunction | undefined;
  return {
    get schema() {
      return (schema ??= read());
    },
    get validate() {
      return (validate ??= compile(this.schema));
    },
  };
}

/**
 * Makes a compiler for schemas of somebody else's documents, which `createBundler` has read: keywords and formats that
 * are not known do not matter any more, and types may be mixed. A schema is compiled when its `validate` is first asked
 * for, since a document may hold hundreds of large ones.
 *
 * @throws (when `validate` is asked for) ContractError (`contract/schema`) for a schema that does not compile
 */
export function createLenientCompile(): Compile {
  const share = createSharing();
  return (where, received) =>
    lazily(
      () => received as JsonSchema,
      (schema) => {
        try {
          return share(schema);
        } catch (cause) {
          throw meaningless(where, messageOf(cause), cause);
        }
      },
    );
}

/**
 * Compiles schemas of one document. What several of them hold in their `$defs`, the very same object, is compiled once.
 *
 * @param options.allErrors - whether validators report every error. Default: true
 */
export function createSharing({ allErrors = true } = {}): (schema: JsonSchema) => ValidateFunction {
  const ajv = createAjv({ strict: false, allErrors });
  const ids = new Map<unknown, string>();
  return (schema) => {
    if (typeof schema === 'boolean' || !isRecord(schema['$defs'])) return ajv.compile(schema);
    const { $defs, ...own } = schema as { readonly $defs: Readonly<Record<string, unknown>> };
    const parts = Object.values($defs).filter((part) => !ids.has(part));
    for (const part of parts) ids.set(part, `urn:part:${ids.size}`);
    const idOf = (reference: string): string => {
      const [keyword, name = '', ...deeper] = namesIn(decoded(reference));
      const id = keyword === '$defs' && deeper.length === 0 && Object.hasOwn($defs, name) && ids.get($defs[name]);
      return id || reference;
    };
    for (const part of parts) ajv.addSchema(referring(part, idOf) as SchemaObject, ids.get(part));
    return ajv.compile(referring(own, idOf) as SchemaObject);
  };
}

/** A copy of a schema whose references lead elsewhere. */
function referring(part: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(part)) return part.map((each) => referring(each, change));
  if (!isRecord(part)) return part;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      if (name === 'const' || name === 'enum') return [name, value];
      return [name, name === '$ref' && typeof value === 'string' ? change(value) : referring(value, change)];
    }),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isRecord(value);
}

function createAjv({ strict = true, allErrors = true } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    strict,
    strictTypes: strict,
    strictTuples: strict,
    logger: false,
    validateSchema: false,
    // Compiling costs more than it saves: dozens of schemas at each start, a few thousand values each.
    code: { optimize: false },
    // What is referred to is compiled once, and called; only the smallest is written out wherever it is referred to.
    inlineRefs: 8,
  });
  formats.default(ajv);
  ajv.addVocabulary(annotations);
  return ajv;
}

function refused(where: string, cause: unknown): ContractError {
  const message = messageOf(cause);
  const [, keyword] = /unknown keyword: "(.*)"/.exec(message) ?? [];
  return keyword === undefined ? meaningless(where, message, cause) : unknownKeyword(where, keyword, cause);
}

function meaningless(where: string, problem: string, cause?: unknown): ContractError {
  return new ContractError(
    'contract/schema',
    `The schema of ${where} does not compile: ${problem}. Valid is JSON Schema 2020-12 (strict). Correct that schema.`,
    { cause },
  );
}

function unknownKeyword(where: string, keyword: string, cause: unknown): ContractError {
  return new ContractError(
    'contract/unknown-keyword',
    `The schema of ${where} uses the keyword "${keyword}", which is unknown. Valid are the keywords of JSON Schema 2020-12 and ${annotations.join(', ')}. Correct its spelling or remove it.`,
    { cause },
  );
}

/**
 * Merges `allOf` away wherever the merged schema takes exactly the same values: the same type, other properties,
 * narrower enumerations. Whatever cannot be merged so stays as it is.
 */
export function simplify(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const inner = mapSubschemas(schema, simplify);
  const { allOf, ...rest } = inner;
  if (allOf === undefined) return inner;
  const merged = [...allOf, rest].reduce<SchemaObject | undefined>(mergeParts, {});
  return merged ?? inner;
}

function mergeParts(left: SchemaObject | undefined, right: JsonSchema): SchemaObject | undefined {
  return left === undefined || typeof right === 'boolean' ? undefined : merge(left, right);
}

/** Keywords whose meaning depends on the keywords beside them: moving them next to others would change it. */
const dependent =
  /^(additionalProperties|unevaluated.*|prefixItems|.*[cC]ontains|if|then|else|\$defs|\$anchor|\$dynamic.*|\$id)$/;

/** The schema that takes what both take, or nothing where that cannot be decided keyword by keyword. */
function merge(left: SchemaObject, right: SchemaObject): SchemaObject | undefined {
  if ([...Object.keys(left), ...Object.keys(right)].some((keyword) => dependent.test(keyword))) return undefined;
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const both = keyword in left ? mergeKeyword(keyword, left[keyword], value) : value;
    if (both === undefined) return undefined;
    merged[keyword] = both;
  }
  return narrowed(merged);
}

function mergeKeyword(keyword: string, left: unknown, right: unknown): unknown {
  if (JSON.stringify(left) === JSON.stringify(right)) return left;
  if (keyword === 'properties') return mergeProperties(left, right);
  if (keyword === 'required') return [...new Set([...(left as string[]), ...(right as string[])])];
  return /^(title|description|examples?|x-.*)$/.test(keyword) ? right : undefined;
}

function mergeProperties(left: unknown, right: unknown): unknown {
  const merged: Record<string, unknown> = { ...(left as object) };
  for (const [name, schema] of Object.entries(right as Readonly<Record<string, unknown>>)) {
    const other = merged[name];
    const both = other === undefined ? schema : isRecord(other) && isRecord(schema) ? merge(other, schema) : undefined;
    if (both === undefined) return undefined;
    merged[name] = both;
  }
  return merged;
}

/** A `const` that its `enum` lists says all that the two say together. */
function narrowed(schema: SchemaObject): SchemaObject {
  const { enum: listed, ...rest } = schema;
  return 'const' in schema && listed?.includes(schema.const) === true ? rest : schema;
}

const single = ['items', 'contains', 'additionalProperties', 'propertyNames', 'not'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['properties', 'patternProperties'];

function mapSubschemas(schema: SchemaObject, change: (schema: JsonSchema) => JsonSchema): SchemaObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (single.includes(keyword)) return [keyword, change(value as JsonSchema)];
      if (lists.includes(keyword)) return [keyword, (value as readonly JsonSchema[]).map(change)];
      if (!maps.includes(keyword)) return [keyword, value];
      const entries = Object.entries(value as Readonly<Record<string, JsonSchema>>);
      return [keyword, Object.fromEntries(entries.map(([name, each]) => [name, change(each)]))];
    }),
  );
}
