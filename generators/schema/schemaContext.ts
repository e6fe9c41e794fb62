import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc, { type Arbitrary } from 'fast-check';

import { createSharing } from '../../spec/compile.ts';
import { isRecord, type JsonSchema, type SchemaObject } from '../../spec/jsonSchema.ts';
import type { Json } from '../json/json.ts';
import type { TextKind } from './text.ts';
import type { TimestampForm } from './timestamp.ts';

/** A source of strings for a schema that stands at a place of the generated value, or undefined for none of its own. */
export interface StringSource {
  (schema: SchemaObject, at: string | undefined): Arbitrary<string> | undefined;
  /** Whether it makes the same of a schema wherever that stands. Default: false */
  readonly isPlaceFree?: boolean;
}

/** How values are made where the schema leaves a choice. */
export interface SchemaChoices {
  readonly text: TextKind;
  readonly nul: boolean;
  readonly timestamps: TimestampForm;
  readonly numbers: 'plain' | 'any';
  readonly strings: StringSource;
  readonly nestedItems: number | undefined;
  /** Receives what cannot be honoured, which is then not generated. Undefined: it is thrown. */
  readonly passOver: ((problem: UnsupportedSchema) => void) | undefined;
}

/** A schema together with where it stands. */
export interface SchemaPlace {
  readonly schema: JsonSchema;
  /** Where it stands in the root schema, as a JSON Pointer. */
  readonly pointer: string;
  /** How many references of those that lead back to themselves were followed on the way to it. */
  readonly recursions: number;
  /** True for a schema that was made on the way and stands nowhere in the root. */
  readonly made?: boolean;
}

/** What a schema was compiled to. */
export interface Compiled {
  readonly arbitrary: Arbitrary<Json>;
  /** All values that there are, where the schema lists them. */
  readonly values?: readonly Json[];
}

/** What the compilers of the several types share. */
export interface SchemaContext {
  readonly options: SchemaChoices;
  /** Whether the value is valid for the schema at this place. */
  readonly isValid: (place: SchemaPlace, value: Json) => boolean;
  /**
   * For values that are valid for all of the schemas; undefined where there are none (or none that end, where the
   * schemas are recursive).
   *
   * @param at - the place in the generated value, as a JSON Pointer, where it is fixed
   */
  readonly compile: (places: readonly SchemaPlace[], at: string | undefined) => Compiled | undefined;
  /** Notes that a member that has to be there cannot be: the reason why no value is valid, if there is none. */
  readonly noteImpossible: (pointer: string, at: string | undefined) => void;
  /** What the caller wants at this place of the generated value: `null` leaves it out. */
  readonly wanted: (at: string) => Arbitrary<Json> | null | undefined;
}

const rootId = 'schema:root';

/** A schema is drawn from in many ways, and compiled for all of them once. */
const validators = new WeakMap<object, SchemaContext['isValid']>();

/** Whether a value is valid for the schema at a place of this one. */
export function validatorFor(root: JsonSchema): SchemaContext['isValid'] {
  if (typeof root === 'boolean') return () => root;
  const known = validators.get(root) ?? schemaValidator(root);
  validators.set(root, known);
  return known;
}

/**
 * Makes the function that validates values against the schema at a place within a root schema. Places are compiled when
 * they are first asked for.
 *
 * @throws (when called) UnsupportedSchema where the validator cannot cope with the schema
 */
function schemaValidator(root: JsonSchema): SchemaContext['isValid'] {
  const compiled = new Map<string, (value: Json) => boolean>();
  let ajv: Ajv2020 | undefined;
  const share = sharingOf(root);
  const validatorOf = (pointer: string, schema: SchemaObject): ((value: Json) => boolean) => {
    if (share !== undefined) return share(schema);
    ajv ??= createAjv(root);
    return ajv.compile({ $ref: `${rootId}#${encodeURI(pointer)}` });
  };
  return ({ schema, pointer }, value) => {
    if (typeof schema === 'boolean') return schema;
    try {
      const validate = compiled.get(pointer) ?? validatorOf(pointer, schema);
      compiled.set(pointer, validate);
      return validate(value);
    } catch (cause) {
      throw unvalidated(pointer, cause);
    }
  };
}

/** How the validators of a document are made, by any part of it that its schemas have in their `$defs`. */
const sharings = new WeakMap<object, ReturnType<typeof createSharing>>();

/** Makes validators of parts of a root that refer to its `$defs` alone; undefined for a root that refers to other places. */
function sharingOf(root: JsonSchema): ((schema: SchemaObject) => (value: Json) => boolean) | undefined {
  const $defs = isRecord(root) ? root['$defs'] : undefined;
  if (!isRecord($defs) || !refersToParts(root)) return undefined;
  const parts = Object.values($defs).filter(isRecord);
  const share = parts.map((part) => sharings.get(part)).find((each) => each !== undefined) ?? createSharing(quick);
  for (const part of parts) sharings.set(part, share);
  return (schema) => share({ ...schema, $defs } as SchemaObject);
}

const quick = { allErrors: false };

function refersToParts(part: unknown): boolean {
  if (Array.isArray(part)) return part.every(refersToParts);
  if (!isRecord(part)) return true;
  const { $ref: reference, $anchor: anchor, $dynamicRef: dynamic, $id: id } = part;
  const isPlain = typeof reference !== 'string' || /^#\/\$defs\/[^/]+$/.test(reference);
  return (
    isPlain &&
    [anchor, dynamic, id].every((each) => typeof each !== 'string') &&
    Object.values(part).every(refersToParts)
  );
}

function unvalidated(pointer: string, cause: unknown): UnsupportedSchema {
  const received = `the validator fails with "${cause instanceof Error ? cause.message : String(cause)}"`;
  return new UnsupportedSchema(pointer, 'schema', received, 'Write this part in a simpler way.', { cause });
}

function createAjv(root: JsonSchema): Ajv2020 {
  // To look whether the schema is one costs more than all else; what is none does not compile.
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateSchema: false,
    code: { optimize: false },
    inlineRefs: 8,
  });
  formats.default(ajv);
  const { $schema: _dialect, ...schema } = (isRecord(root) ? root : {}) as Readonly<Record<string, unknown>>;
  return ajv.addSchema({ ...schema, $id: rootId });
}

/** A schema holds something for which no values can be generated. Nothing is left out silently instead. */
export class UnsupportedSchema extends Error {
  override readonly name = 'UnsupportedSchema';
  /** Where in the schema, as a JSON Pointer. */
  readonly pointer: string;
  readonly keyword: string;
  /** What stands there, as a clause. */
  readonly received: string;

  /**
   * @param received - what stands there, as a clause: "the format is 'iri'"
   * @param advice - what is valid and what to do, as a sentence
   */
  constructor(pointer: string, keyword: string, received: string, advice: string, options?: ErrorOptions) {
    super(
      `No values can be generated for '${keyword}' at ${pointer === '' ? 'the root' : pointer}: ${received}. ${advice}`,
      options,
    );
    this.pointer = pointer;
    this.keyword = keyword;
    this.received = received;
  }
}

const draws = 30;
/** Below one in ten, filtering gets slow, and what passes says little about what the schema means. */
const enough = draws / 10;

/**
 * Filters an arbitrary where that is cheap: some values are drawn first (always the same ones).
 *
 * @param pointer - where the keyword stands in the schema that asks for the filter
 * @throws UnsupportedSchema where fewer than one value in ten passes
 */
export function probedFilter<T>(
  arbitrary: Arbitrary<T>,
  predicate: (value: T) => boolean,
  pointer: string,
  keyword: string,
): Arbitrary<T> {
  // The first of them decide nearly always, and take a tenth of the time.
  const passed = passing(arbitrary, predicate, enough) === enough ? enough : passing(arbitrary, predicate, draws);
  if (passed >= enough) return arbitrary.filter(predicate);
  const received = `of ${draws} values made for the keywords beside it, ${passed} meet it`;
  throw new UnsupportedSchema(
    pointer,
    keyword,
    received,
    'Say it in a way that builds values instead: narrow the keywords beside it, or list the values in an enum.',
  );
}

function passing<T>(arbitrary: Arbitrary<T>, predicate: (value: T) => boolean, numRuns: number): number {
  return fc.sample(arbitrary, { numRuns, seed: 1 }).filter(predicate).length;
}
