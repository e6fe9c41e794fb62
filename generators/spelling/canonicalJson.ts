import { isJsonObject, type Json } from '../json/json.ts';

/** A text that is the same for two values exactly where JSON Schema counts them as equal: the order of members is left out. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_name, inner: unknown) => (isJsonObject(inner) ? sorted(inner) : inner));
}

function sorted(object: { readonly [name: string]: Json }): unknown {
  return Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1));
}
