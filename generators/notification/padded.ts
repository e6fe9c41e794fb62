import type { Json, JsonObject } from '../json/json.ts';
import { withPointer } from '../json/withPointer.ts';

/** What stands around the padding of a resource, in bytes: `,"meta":{"padding":""}`. */
const wrapping = Buffer.byteLength(',"meta":{"padding":""}');

/**
 * A copy of a body whose list of resources is longer or shorter, so that its compact JSON has at most this many bytes,
 * and that many exactly where the list can be made longer.
 *
 * Resources are repeated under ids of their own; what is then missing is text in the `meta` of the last one (JSON:API
 * 1.1, 5.6). A body that is too large loses resources; without any, it stays as it is.
 *
 * @param pointer - where the list of resources stands
 */
export function padded(body: Json, pointer: string, resources: readonly JsonObject[], bytes: number): Json {
  const sizes = resources.map((resource) => sizeOf(resource) + 1);
  const room = bytes - sizeOf(withPointer(body, pointer, []));
  const kept = fitting(sizes, room + 1);
  const list: JsonObject[] = resources.slice(0, kept);
  let left = room + 1 - sum(sizes.slice(0, kept));
  const last = resources.at(-1);
  const step = sizes.at(-1) ?? 0;
  if (kept < resources.length || last === undefined) return withPointer(body, pointer, list);
  for (let copy = 1; left >= step + wrapping; copy += 1, left -= step) list.push(repeated(last, copy));
  if (left >= wrapping) list.push(withPadding(list.pop() as JsonObject, left - wrapping));
  return withPointer(body, pointer, list);
}

/** How many of them, from the first on, have room; each counts with the comma after it, the last one's comma is free. */
function fitting(sizes: readonly number[], room: number): number {
  let left = room;
  const tooLarge = sizes.findIndex((size) => (left -= size) < 0);
  return tooLarge < 0 ? sizes.length : tooLarge;
}

/** The same resource under another uuid: the digits at the end count on, so its length stays the same. */
function repeated(resource: JsonObject, copy: number): JsonObject {
  const { id } = resource;
  if (typeof id !== 'string' || id.length < 12) return resource;
  const next = (Number.parseInt(id.slice(-12), 16) + copy) % 2 ** 48;
  return { ...resource, id: id.slice(0, -12) + next.toString(16).padStart(12, '0') };
}

function withPadding(resource: JsonObject, length: number): JsonObject {
  return { ...resource, meta: { padding: 'a'.repeat(length) } };
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
