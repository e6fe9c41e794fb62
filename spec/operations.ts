import { ContractError } from './contractError.ts';
import type { Compile, CompiledSchema } from './compile.ts';
import { isRecord, type Mapping, mapping } from './jsonSchema.ts';
import { isSameName } from './headerText.ts';

/** Schemas by media type. */
type Content = Readonly<Record<string, CompiledSchema>>;

/** An operation of the API, references written out inline. */
export interface Operation {
  readonly operationId: string;
  /** In capitals. */
  readonly method: string;
  /** Below the base address, with its parameters in braces: `/webhooks/{id}`. */
  readonly path: string;
  readonly parameters: readonly OperationParameter[];
  readonly summary: string;
  /** The gaps of the contract that leave something of it open. */
  readonly gaps: readonly string[];
  /** Whether it needs the API key. */
  readonly secured: boolean;
  /** What may be sent; empty where it takes no body. */
  readonly request: Content;
  /** What may come back, by status (`201`, `4XX`, `default`). */
  readonly responses: Readonly<Record<string, Content>>;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Reads every operation of the API.
 *
 * @param paths - the document's, references written out inline
 * @param security - the document's, for the operations that name none of their own
 * @param options.unnamed - an operation without an operationId goes by its method and path (`POST /hooks`). Default: false
 * @param options.values - what the contract says of parameters; those of paths stand in the paths then. Default: nothing
 * @throws ContractError for an operation without a name, or with a taken one, and for what does not compile
 */
export function parseOperations(
  paths: unknown,
  security: unknown,
  compile: Compile,
  { unnamed = false, values = {} }: { readonly unnamed?: boolean; readonly values?: ParameterValues } = {},
): readonly Operation[] {
  const secured = Array.isArray(security) && security.length > 0;
  const operations = Object.entries(mapping(paths)).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = mapping(item)[method];
      if (!isRecord(operation)) return [];
      const name = `${method.toUpperCase()} ${path}`;
      const named = unnamed ? { operationId: name, ...operation } : operation;
      const own = [mapping(item)['parameters'], named['parameters']].flat();
      const parameters = parametersOf(path, own, values);
      return [
        {
          ...operationOf(method.toUpperCase(), path, named, secured, compile),
          path: pathWith(path, values),
          parameters,
        },
      ];
    }),
  );
  refuseDuplicates(operations);
  return operations;
}

function operationOf(
  method: string,
  path: string,
  value: Mapping,
  secured: boolean,
  compile: Compile,
): Omit<Operation, 'path' | 'parameters'> {
  const { operationId, summary, security } = value;
  if (typeof operationId !== 'string' || operationId === '') {
    throw new ContractError(
      'contract/operation',
      `${method} ${path} has no operationId; each operation needs a name of its own. Add it.`,
    );
  }
  const where = `${operationId} (${method} ${path})`;
  return {
    operationId,
    method,
    summary: typeof summary === 'string' ? summary : '',
    gaps: gapsOf(value['x-gap']),
    secured: Array.isArray(security) ? security.length > 0 : secured,
    request: contentOf(`the request of ${where}`, value['requestBody'], compile),
    responses: Object.fromEntries(
      Object.entries(mapping(value['responses'])).map(([status, response]) => [
        status,
        contentOf(`the ${status} response of ${where}`, response, compile),
      ]),
    ),
  };
}

function contentOf(where: string, body: unknown, compile: Compile): Content {
  const content = Object.entries(mapping(mapping(body)['content']));
  return Object.fromEntries(
    content.map(([mediaType, value]) => {
      return [mediaType, compile(where, mapping(value)['schema'] ?? true)];
    }),
  );
}

/** The ids that an `x-gap` extension names: one, or a list. */
export function gapsOf(value: unknown): readonly string[] {
  return [value].flat().filter((id) => typeof id === 'string');
}

function refuseDuplicates(operations: readonly Operation[]): void {
  const ids = operations.map(({ operationId }) => operationId);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new ContractError(
    'contract/operation',
    `Two operations have the operationId ${twice}; each needs a name of its own. Rename one.`,
  );
}

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
function pathWith(path: string, values: ParameterValues): string {
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
