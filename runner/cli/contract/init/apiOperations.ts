import { toPointer } from '../../../../generators/json/jsonPointer.ts';
import { type OperationParameter, parametersOf } from '../../../../spec/operations.ts';
import { pointed } from '../../../../spec/pointer.ts';
import { type Mapping, mapping } from '../../../../spec/jsonSchema.ts';

/** An operation of a document's API, as far as its part in the API of webhooks can be guessed from it. */
export interface ApiOperation {
  /** Its operationId; its method and path where it has none. */
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  /** Its name, its summary and the last part of its path, as words in lower case. */
  readonly words: string;
  readonly security: unknown;
  /** With those of its path. */
  readonly parameters: readonly OperationParameter[];
  /** What stands in the body of a call, the outermost first. */
  readonly sent: readonly SchemaMember[];
  /** What stands in the answer of a success, the outermost first; the answer itself is not among them. */
  readonly answered: readonly SchemaMember[];
  /** Where the answer holds a list, and what stands in an item of it. */
  readonly list: { readonly pointer: string; readonly members: readonly SchemaMember[] } | undefined;
}

/** A member of a body. */
export interface SchemaMember {
  readonly pointer: string;
  readonly name: string;
  /** Its schema, references followed, `allOf` taken together. */
  readonly schema: Mapping;
}

/** How deep members are looked for. */
const depth = 4;

/** All operations of a document, each read when it is asked for. */
export function apiOperations(document: Mapping): readonly ApiOperation[] {
  const reader = new Reader(document);
  return entriesOf(document['paths']).flatMap(([path, item]) =>
    entriesOf(reader.resolved(item))
      .filter(([method]) => /^(get|put|post|patch|delete)$/.test(method))
      .map(([method, operation]) => reader.operation(method.toUpperCase(), path, item, mapping(operation))),
  );
}

class Reader {
  readonly #document: Mapping;

  constructor(document: Mapping) {
    this.#document = document;
  }

  operation(method: string, path: string, item: unknown, operation: Mapping): ApiOperation {
    const { operationId, summary, security } = operation;
    const name = typeof operationId === 'string' ? operationId : '';
    const last = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
    const members = (schema: unknown) => this.#members(schema);
    const [sent, answer] = [() => this.#schemaOf(operation['requestBody']), () => this.#answerOf(operation)];
    const list = (): ApiOperation['list'] => this.#listOf(answer());
    return {
      id: name === '' ? `${method} ${path}` : name,
      method,
      path,
      words: wordsOf(`${name} ${typeof summary === 'string' ? summary : ''} ${last}`),
      security: security ?? this.#document['security'],
      parameters: parametersOf(
        path,
        [...listOf(this.resolved(item)['parameters']), ...listOf(operation['parameters'])].map((parameter) => {
          const { schema, ...own } = this.resolved(parameter);
          return { ...own, schema: this.resolved(schema) };
        }),
        {},
      ),
      get sent() {
        return members(sent());
      },
      get answered() {
        return members(answer());
      },
      get list() {
        return list();
      },
    };
  }

  /** A part of the document, the reference followed where it is one; nothing in it where it leads nowhere. */
  resolved(part: unknown, followed = 0): Mapping {
    const { $ref: reference, ...rest } = mapping(part);
    if (typeof reference !== 'string' || followed > 20) return mapping(part);
    try {
      return { ...this.resolved(pointed(this.#document, reference), followed + 1), ...rest };
    } catch {
      return {};
    }
  }

  #answerOf({ responses }: Mapping): unknown {
    const success = entriesOf(responses).find(([status]) => status.startsWith('2'));
    return this.#schemaOf(success?.[1]);
  }

  #schemaOf(holder: unknown): unknown {
    const types = entriesOf(this.resolved(holder)['content']);
    const [, content] = types.find(([type]) => /json/i.test(type)) ?? types[0] ?? [];
    return mapping(content)['schema'];
  }

  #schema(part: unknown, within = 0): Mapping {
    const { allOf = [], items, ...own } = this.resolved(part);
    if (within > depth) return own;
    const parts = listOf(allOf).map((each) => this.#schema(each, within + 1));
    const all = [...parts, own].flatMap((each) => entriesOf(each['properties']));
    const byName = Map.groupBy(all, ([name]) => name);
    const properties = [...byName].map(([name, same]) => {
      const schemas = same.map(([, schema]) => schema);
      return [name, schemas.length === 1 ? schemas[0] : { allOf: schemas }] as const;
    });
    return Object.assign({}, ...parts, own, {
      properties: Object.fromEntries(properties),
      ...(items !== undefined && { items: this.#schema(items, within + 1) }),
    }) as Mapping;
  }

  #members(schema: unknown): readonly SchemaMember[] {
    let level: readonly SchemaMember[] = [{ pointer: '', name: '', schema: this.#schema(schema) }];
    const found: SchemaMember[] = [];
    for (let deep = 0; deep < depth && level.length > 0; deep += 1) {
      level = level.flatMap((holder) =>
        entriesOf(holder.schema['properties']).map(([name, each]) => ({
          pointer: holder.pointer + toPointer([name]),
          name,
          schema: this.#schema(each),
        })),
      );
      found.push(...level);
    }
    return found;
  }

  #listOf(answer: unknown): ApiOperation['list'] {
    const whole = { pointer: '', schema: this.#schema(answer) };
    const found = [whole, ...this.#members(answer)].find(({ schema }) => schema['type'] === 'array');
    return found && { pointer: found.pointer, members: this.#members(found.schema['items']) };
  }
}

/** `createWebHook` and `create_web-hook` are the words `create web hook`. */
function wordsOf(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
}

function entriesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(mapping(value));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
