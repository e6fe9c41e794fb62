import type { Contract } from '../../spec/contract.ts';

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

/** Those that stay JSON: they are nonsense only where the body would have to hold an id. */
const json: ReadonlySet<Spoiling> = new Set([
  'the body is JSON without an id',
  'the body is an empty JSON object',
  'the body is a JSON number',
]);

/** The ways in which a body of this contract can be spoilt. */
export function spoilingsOf({ delivery }: Contract): readonly Spoiling[] {
  const hasId = delivery.members.id !== undefined;
  return spoilings.filter((spoiling) => hasId || spoiling !== 'the body is JSON without an id');
}

/** JSON with single quotes; a body without any quotes makes room for one with some. */
export function inSingleQuotes(text: string): string {
  return text.includes('"') ? text.replaceAll('"', "'") : "{'x':'x'}";
}

/**
 * Whether no receiver can have understood a body that was spoilt this way. A number stays one when it is cut in the middle.
 */
export function isNonsense({ delivery }: Contract, spoiling: Spoiling, body: Buffer): boolean {
  if (json.has(spoiling)) return delivery.members.id !== undefined;
  try {
    JSON.parse(body.toString());
    return false;
  } catch {
    return true;
  }
}

/** The body's bytes, spoilt. `id` is the JSON Pointer of the member that decides about duplicates, where the body has it. */
export function spoilt(body: Buffer, spoiling: Spoiling, id: string | undefined): Buffer {
  return spoiling === 'the body ends in the middle'
    ? body.subarray(0, body.length >> 1)
    : Buffer.from(spoiltText(body.toString(), spoiling, id));
}

function spoiltText(text: string, spoiling: Exclude<Spoiling, 'the body ends in the middle'>, id = ''): string {
  switch (spoiling) {
    case 'the body is empty':
      return '';
    case 'the body is plain text':
      return 'this is not JSON';
    case 'a comma stands before the last brace':
      return text.replace(/[}\]]?$/, ',$&');
    case 'text follows the JSON':
      return `${text} and more`;
    case 'the JSON has single quotes':
      return inSingleQuotes(text);
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
