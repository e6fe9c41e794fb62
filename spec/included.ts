import { ContractError } from './contractError.ts';
import type { Compile, ValidateFunction } from './compile.ts';
import { type JsonSchema, isRecord } from './jsonSchema.ts';

/** A kind of resource that accompanies an event. */
export interface IncludedResource {
  /** Its `type`, for example `container`. */
  readonly type: string;
  /** JSON Schema 2020-12 of one such resource, references written out inline. */
  readonly schema: JsonSchema;
  readonly validate: ValidateFunction;
  /** How many of them come along at least. */
  readonly least: number;
  /** How many of them come along at most, when a notification is of usual size. */
  readonly most: number;
  /** True where there may be more than one. */
  readonly many: boolean;
}

/**
 * Reads an `x-included` extension, whose references are written out inline: a list of `{ schema, least, most }`. The
 * schema must fix the resource's `type` with a `const`.
 *
 * @throws ContractError (`contract/included`) for anything else
 */
export function parseIncluded(event: string, value: unknown, compile: Compile): readonly IncludedResource[] {
  if (!Array.isArray(value)) throw invalid(event, `is ${JSON.stringify(value) ?? 'missing'}`);
  return value.map((row: unknown) => {
    if (!isRecord(row)) throw invalid(event, `holds ${JSON.stringify(row)}`);
    const { schema, least = 0, most = 1 } = row;
    if (!isCount(least) || !isCount(most) || most < least) {
      throw invalid(event, `counts from ${JSON.stringify(least)} to ${JSON.stringify(most)}`);
    }
    const type = typeOf(schema);
    if (type === undefined) throw invalid(event, "has a schema that does not fix the resource's type with a const");
    const compiled = compile(`the resource ${type} of ${event}`, schema);
    return {
      type,
      schema: compiled.schema,
      get validate() {
        return compiled.validate;
      },
      least,
      most,
      many: most > 1,
    };
  });
}

function typeOf(schema: unknown): string | undefined {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const type = isRecord(properties) ? properties['type'] : undefined;
  const fixed = isRecord(type) ? type['const'] : undefined;
  return typeof fixed === 'string' ? fixed : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function invalid(event: string, what: string): ContractError {
  return new ContractError(
    'contract/included',
    `The x-included of ${event} ${what}; valid is a list of { schema, least, most }, each schema with a const as its type. Write down which resources accompany the event ([] where none do).`,
  );
}
