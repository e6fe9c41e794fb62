import type { Arbitrary } from 'fast-check';

import type { JsonSchema, SchemaObject } from '../../spec/jsonSchema.ts';
import type { Json } from '../json/json.ts';
import type { TextKind } from './text.ts';
import type { TimestampForm } from './timestamp.ts';
import type { UnsupportedSchema } from './unsupportedSchema.ts';

/** A source of strings for a schema that stands at a place of the generated value, or undefined for none of its own. */
export type StringSource = (schema: SchemaObject, at: string | undefined) => Arbitrary<string> | undefined;

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
