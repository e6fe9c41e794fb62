/** Ways to make a signed body that no receiver can have understood: it is not JSON, or names no id. */
export const spoilings = [
  'the body is empty',
  'the body ends in the middle',
  'the body is plain text',
  'a comma stands before the last brace',
  'text follows the JSON',
  'the JSON has single quotes',
  'the body is JSON without an id',
  'the body is an empty JSON object',
  'the body is a JSON number',
] as const;

export type Spoiling = (typeof spoilings)[number];

/** The body's bytes, spoilt. `id` is the JSON Pointer of the member that decides about duplicates. */
export function spoilt(body: Buffer, spoiling: Spoiling, id: string): Buffer {
  return spoiling === 'the body ends in the middle'
    ? body.subarray(0, body.length >> 1)
    : Buffer.from(spoiltText(body.toString(), spoiling, id));
}

function spoiltText(text: string, spoiling: Exclude<Spoiling, 'the body ends in the middle'>, id: string): string {
  switch (spoiling) {
    case 'the body is empty':
      return '';
    case 'the body is plain text':
      return 'this is not JSON';
    case 'a comma stands before the last brace':
      return text.replace(/\}$/, ',}');
    case 'text follows the JSON':
      return `${text} and more`;
    case 'the JSON has single quotes':
      return text.replaceAll('"', "'");
    case 'the body is JSON without an id':
      return JSON.stringify(withoutMember(JSON.parse(text), id));
    case 'the body is an empty JSON object':
      return '{}';
    case 'the body is a JSON number':
      return '7';
  }
}

function withoutMember(value: unknown, pointer: string): unknown {
  const path = pointer.split('/').slice(1);
  const copy = structuredClone(value) as Record<string, unknown>;
  const holder = path.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, copy);
  delete holder[path.at(-1) ?? ''];
  return copy;
}
