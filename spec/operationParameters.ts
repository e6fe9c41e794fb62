import { isSameName } from './headerText.ts';
import { isRecord, type Mapping, mapping } from './jsonSchema.ts';

/** A parameter that an operation declares. */
export interface OperationParameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  /** Whether each call has it: one that the document requires, or of which the contract says what stands there. */
  readonly isSent: boolean;
  /** What the contract says, else the first value that the document names. */
  readonly value: string | undefined;
}

/** Values of parameters by their names: the `parameters` of a contract's `service`. */
export type ParameterValues = Readonly<Record<string, string>>;

/** Stands for the ETag of the webhook that a call is about. */
export const entityTag = '{etag}';

/** Stands for a UUID that no other call has. */
export const freshUuid = '{uuid}';

/** Headers that OpenAPI describes elsewhere (3.1, 4.8.12.1). */
const describedElsewhere = ['Accept', 'Content-Type', 'Authorization'];

/** The value of a parameter that a contract gives. Names of headers are the same in any case. */
function givenOf(values: ParameterValues, { name, in: place }: Mapping): string | undefined {
  const isIt = (each: string): boolean => each === name || (place === 'header' && isSameName(each, String(name)));
  return Object.entries(values).find(([each]) => isIt(each))?.[1];
}

/**
 * The parameters of an operation; what no program has to know, such as cookies, is not among them.
 *
 * @param declared - those of the operation and of its path, references followed. Documents leave out some that stand in the path
 */
export function parametersOf(
  path: string,
  declared: readonly unknown[],
  values: ParameterValues,
): readonly OperationParameter[] {
  const own = declared.filter(isRecord);
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  const undeclared = names.filter((name) => !own.some((each) => each['in'] === 'path' && each['name'] === name));
  return [...own, ...undeclared.map((name) => ({ name, in: 'path', required: true }))].flatMap((parameter: Mapping) => {
    const { name, in: place, required } = parameter;
    if (typeof name !== 'string' || (place !== 'query' && place !== 'header' && place !== 'path')) return [];
    if (place === 'header' && describedElsewhere.some((each) => isSameName(each, name))) return [];
    const given = givenOf(values, parameter);
    const isSent = required === true || given !== undefined;
    return [{ name, in: place, isSent, value: given ?? usualIn(name, parameter) }];
  });
}

/** The path with what a contract says of its parameters. @example pathWith('/shops/{shop}/hooks/{id}', { shop: '7' }) // '/shops/7/hooks/{id}' */
export function pathWith(path: string, values: ParameterValues): string {
  return path.replaceAll(/\{([^}]+)\}/g, (braces, name: string) => {
    return Object.hasOwn(values, name) ? encodeURIComponent(values[name]!) : braces;
  });
}

/** What calls hold where a contract says nothing: the first value that the document names, if it needs no other one each time. */
function usualIn(name: string, { example, examples, schema }: Mapping): string | undefined {
  if (isSameName(name, 'If-Match')) return entityTag;
  const { const: only, enum: values, default: usual, example: shown, examples: others, format } = mapping(schema);
  if (format === 'uuid') return freshUuid;
  const [first] = Object.values(mapping(examples));
  const all = [example, mapping(first)['value'], shown, listOf(others)[0], usual, only, listOf(values)[0]];
  const [found] = all.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean' ? [String(each)] : [],
  );
  return found;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
