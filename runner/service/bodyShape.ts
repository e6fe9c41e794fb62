import { type Json, isJsonObject } from '../../generators/json/json.ts';
import type { Call } from '../../suites/exchange.ts';
import { jsonOf, mediaTypeOf } from './answers.ts';

/** Characters that are said of the shape of a body at most: its names are the service's own. */
const longest = 300;

/** What kind of body an answer has, in a few words: `application/json: an object with errors`. */
export function bodyShape(call: Call, body: string): string {
  if (body.trim() === '') return 'no body';
  const type = mediaTypeOf(call) || 'no media type';
  const value = jsonOf(call);
  const shape = `${type}: ${value === undefined ? 'text' : describe(value)}`;
  return shape.length > longest ? `${shape.slice(0, longest)}… (${shape.length} characters)` : shape;
}

function describe(value: Json): string {
  if (isJsonObject(value)) return `an object with ${Object.keys(value).toSorted().slice(0, 6).join(', ') || 'nothing'}`;
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
