import type { Operation, ValidateFunction } from '../../spec/contract.ts';
import { member } from './json.ts';
import type { Problem } from './records.ts';

type SchemaError = NonNullable<ValidateFunction['errors']>[number];

/** How many problems an answer names at most. */
const most = 20;

/** What the schema of the contract says against a body; nothing where it is valid. One problem for each place. */
export function schemaProblems({ request }: Operation, body: unknown): readonly Problem[] {
  const [schema] = Object.values(request);
  const value = withoutNullHeaders(body);
  if (schema === undefined || schema.validate(value)) return [];
  const problems = schema.validate.errors!.slice(0, 10 * most).map((error) => problemOf(error, value));
  const pointers = problems.map(({ pointer }) => pointer);
  return problems.filter(({ pointer }, index) => pointers.indexOf(pointer) === index).slice(0, most);
}

/** Section 2.1 says of `headers` that it may be null, and 4.1 does not: null is taken like an empty list. */
function withoutNullHeaders(body: unknown): unknown {
  if (member(body, 'data', 'attributes', 'headers') !== null) return body;
  const { data } = body as { data: { attributes: object } };
  return { ...(body as object), data: { ...data, attributes: { ...data.attributes, headers: [] } } };
}

function problemOf({ keyword, instancePath, params, message }: SchemaError, body: unknown): Problem {
  const { missingProperty, allowedValues } = params as { missingProperty?: string; allowedValues?: readonly unknown[] };
  const problem = { status: 422, rule: keyword };
  if (missingProperty !== undefined) {
    const pointer = `${instancePath}/${missingProperty}`;
    return { ...problem, pointer, detail: `${pointer} is missing. Add it.` };
  }
  const received = `${instancePath === '' ? 'The body' : instancePath} is ${show(valueAt(body, instancePath))}`;
  const valid = allowedValues === undefined ? `it ${message}` : `valid are ${allowedValues.join(', ')}`;
  return { ...problem, pointer: instancePath, detail: `${received}; ${valid}.` };
}

function valueAt(body: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return member(body, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** A value as a message shows it: briefly, and never its inside. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
