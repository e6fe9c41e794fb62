import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { isRecord, type JsonSchema } from '../spec/jsonSchema.ts';
import type { Json } from './json.ts';
import type { SchemaPlace } from './schemaContext.ts';

const rootId = 'schema:root';

/**
 * Makes the function that validates values against the schema at a place within a root schema. Places are compiled when
 * they are first asked for.
 */
export function schemaValidator(root: JsonSchema): (place: SchemaPlace, value: Json) => boolean {
  const compiled = new Map<string, (value: Json) => boolean>();
  let ajv: Ajv2020 | undefined;
  return (place, value) => {
    if (typeof place.schema === 'boolean') return place.schema;
    const known = compiled.get(place.pointer);
    if (known !== undefined) return known(value);
    ajv ??= createAjv(root);
    const validate = ajv.compile({ $ref: `${rootId}#${encodeURI(place.pointer)}` }) as (value: Json) => boolean;
    compiled.set(place.pointer, validate);
    return validate(value);
  };
}

function createAjv(root: JsonSchema): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false });
  formats.default(ajv);
  const { $schema: _dialect, ...schema } = (isRecord(root) ? root : {}) as Readonly<Record<string, unknown>>;
  return ajv.addSchema({ ...schema, $id: rootId });
}
