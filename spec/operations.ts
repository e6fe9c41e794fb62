import { ContractError } from './contractError.ts';
import type { Compile, CompiledSchema } from './compile.ts';
import { isRecord, type Mapping, mapping } from './jsonSchema.ts';
import { type OperationParameter, parametersOf, type ParameterValues, pathWith } from './operationParameters.ts';

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
