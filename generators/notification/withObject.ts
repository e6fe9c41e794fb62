import type { Json } from '../json/json.ts';
import { valueAt, withPointer } from '../json/jsonPointer.ts';
import { bytesOf, likeRun, longestRun } from '../json/likeRun.ts';

/** The body about another object, the same one however often it is asked for. What has no text there stays as it is. */
export function withObject(
  value: Json,
  pointer: string,
  by: { readonly id: string; readonly about: string | undefined },
): Json {
  const object = valueAt(value, pointer);
  const run = typeof object === 'string' ? longestRun(object) : undefined;
  if (typeof object !== 'string' || run === undefined) return value;
  const own = object.replace(run, () => likeRun(run, bytesOf('object', by.id), 6));
  return withPointer(value, pointer, by.about ?? own);
}
