import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { isRecord, type JsonSchema } from '../../spec/jsonSchema.ts';
import type { Json } from '../json/json.ts';
import type { SchemaPlace } from './schemaContext.ts';
import { UnsupportedSchema } from './unsupportedSchema.ts';

const rootId = 'schema:root';

/**
 * Makes the function that validates values against the schema at a place within a root schema. Places are compiled when
 * they are first asked for.
 *
 * @throws (when called) UnsupportedSchema where the validator cannot cope with the schema
 */
export function schemaValidator(root: JsonSchema): (place: SchemaPlace, value: Json) => boolean {
  const compiled = new Map<string, (value: Json) => boolean>();
  let ajv: Ajv2020 | undefined;
  const validatorOf = (pointer: string): ((value: Json) => boolean) => {
    ajv ??= createAjv(root);
    return ajv.compile({ $ref: `${rootId}#${encodeURI(pointer)}` });
  };
  return ({ schema, pointer }, value) => {
    if (typeof schema === 'boolean') return schema;
    try {
      const validate = compiled.get(pointer) ?? validatorOf(pointer);
      compiled.set(pointer, validate);
      return validate(value);
    } catch (cause) {
      throw unvalidated(pointer, cause);
    }
  };
}

function unvalidated(pointer: string, cause: unknown): UnsupportedSchema {
  const received = `the validator fails with "${cause instanceof Error ? cause.message : String(cause)}"`;
  return new UnsupportedSchema(pointer, 'schema', received, 'Write this part in a simpler way.', { cause });
}

function createAjv(root: JsonSchema): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false });
  formats.default(ajv);
  const { $schema: _dialect, ...schema } = (isRecord(root) ? root : {}) as Readonly<Record<string, unknown>>;
  return ajv.addSchema({ ...schema, $id: rootId });
}
