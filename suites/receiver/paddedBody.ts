/**
 * The bytes of a JSON object with one more member: a text of so many letters.
 *
 * They are filled in where they stand, for a text of some mebibytes that becomes bytes is copied several times.
 *
 * @example paddedBody(Buffer.from('{"a":1}'), 'x', 3) // {"a":1,"x":"xxx"}
 */
export function paddedBody(object: Buffer, name: string, letters: number): Buffer {
  const separator = object.equals(empty) ? '' : ',';
  const [head, tail] = [Buffer.from(`${separator}${JSON.stringify(name)}:"`), Buffer.from('"}')];
  const begin = object.length - 1;
  const body = Buffer.alloc(begin + head.length + letters + tail.length, 'x');
  object.copy(body, 0, 0, begin);
  head.copy(body, begin);
  tail.copy(body, body.length - tail.length);
  return body;
}

const empty = Buffer.from('{}');
