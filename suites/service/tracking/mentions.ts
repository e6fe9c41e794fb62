import type { Json } from '../../../generators/json/json.ts';

/** Whether a text stands in a value: as one of its texts, or within one. */
export function mentions(value: Json, text: string): boolean {
  if (typeof value === 'string') return text !== '' && value.includes(text);
  return typeof value === 'object' && value !== null && Object.values(value).some((each: Json) => mentions(each, text));
}
