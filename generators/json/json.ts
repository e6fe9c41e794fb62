import { isRecord } from '../../spec/jsonSchema.ts';

/** A text that is the same for two values exactly where JSON Schema counts them as equal: the order of members is left out. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_name, inner: unknown) => (isJsonObject(inner) ? sorted(inner) : inner));
}

function sorted(object: { readonly [name: string]: Json }): unknown {
  return Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** A value that JSON can carry (RFC 8259), as `JSON.parse` returns it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json };

/** Whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
