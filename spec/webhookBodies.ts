import { both, type Bundle, createBundler, type ReadBundle } from './foreign/bundle.ts';
import { createLenientCompile, type ValidateFunction } from './compile.ts';
import { ContractError, type DocumentWarning, type Warn, warnOnce } from './contractError.ts';
import { isHeaderValue } from './headerText.ts';
import { isRecord, type JsonSchema, type Mapping, mapping } from './jsonSchema.ts';
import { below, decoded, pointed } from './pointer.ts';

/** A header that the requests of a webhook carry. */
export interface WebhookHeader {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** Where the document has it, as a fragment. */
  readonly pointer: string;
  /** A value that the document shows. */
  readonly example: string | undefined;
  /** Self-contained; read when it is first asked for. `true` where the document has none. */
  readonly schema: JsonSchema;
}

/** A webhook of an OpenAPI document, and what its requests hold. */
export interface WebhookBody {
  /** Its name in `webhooks` or `x-webhooks`, or that of its schema. */
  readonly key: string;
  readonly operationId: string | undefined;
  /** In capital letters: `POST`. */
  readonly method: string;
  /** As the document writes it: `application/json`. */
  readonly mediaType: string;
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  readonly description: string | undefined;
  /** Where its schema stands in the document, as a fragment. */
  readonly pointer: string;
  /** The statuses that it declares: `200`, `2XX`, `default`. None where it declares none. */
  readonly responses: readonly string[];
  readonly headers: readonly WebhookHeader[];
  /** The `x-` members of the operation, as they stand. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /**
   * JSON Schema 2020-12 of the body. It stands for itself: what it refers to is in its `$defs`, so it may be recursive.
   * Read when it is first asked for.
   */
  readonly schema: JsonSchema;
  /**
   * Says whether a value is such a body; reports every error. Compiled when it is first asked for.
   *
   * @throws ContractError (`contract/schema`) for a schema that does not compile
   */
  readonly validate: ValidateFunction;
  /**
   * Warns of something in the schema that cannot be honoured, as the reader of the document does.
   *
   * @param place - where in `schema`: `/$defs/Order/properties/id/pattern`
   */
  report(place: string, problem: Omit<DocumentWarning, 'pointer'>): void;
}

/** Choices of {@link webhookBodies}. */
export interface WebhookBodiesOptions {
  /** Receives what is left out, ignored or translated. Default: nobody. */
  readonly warn?: Warn;
  /** Where the document holds a schema that every body has to satisfy beside its own: `#/envelope`. Default: nowhere. */
  readonly envelope?: string | undefined;
  /**
   * Takes the schemas whose names match for events, where a document has no webhooks but describes what it sends in
   * `components.schemas`. Default: none.
   */
  readonly components?: RegExp;
}

/**
 * The webhooks of any OpenAPI document: `webhooks` of 3.1, `x-webhooks` of 3.0. Nothing in a document ends this: what is
 * not usable is left out, with a warning. Schemas are read, and warned of, when they are first asked for.
 *
 * @param document - as it was parsed, references as they stand
 * @example webhookBodies(document, { warn: ({ pointer, message }) => print(`${pointer}: ${message}`) }).map(({ key }) => key)
 */
export function webhookBodies(document: Mapping, options: WebhookBodiesOptions = {}): readonly WebhookBody[] {
  const { components, envelope } = options;
  const warn = warnOnce(options.warn ?? (() => undefined));
  const bundle = createBundler(document, warn);
  const reader: Reader = { document, warn, bundle, envelope, compile: createLenientCompile() };
  const [own, older] = [mapping(document['webhooks']), mapping(document['x-webhooks'])];
  const isDeclared = new Set(Object.keys(own));
  const declared = [
    ...Object.entries(own).map(([key, entry]) => entryBodies(key, entry, '#/webhooks', reader)),
    ...Object.entries(older)
      .filter(([key]) => !isDeclared.has(key))
      .map(([key, entry]) => entryBodies(key, entry, '#/x-webhooks', reader)),
  ].flat();
  return declared.length > 0 || components === undefined ? declared : componentBodies(components, reader);
}

interface Reader {
  readonly document: Mapping;
  readonly warn: Warn;
  readonly bundle: ReadBundle;
  readonly envelope: string | undefined;
  readonly compile: ReturnType<typeof createLenientCompile>;
}

/** A part of the document behind its references. */
interface Place {
  readonly value: Mapping;
  readonly pointer: string;
}

const methods = ['post', 'put', 'patch', 'delete', 'get', 'options', 'head', 'trace'];

function entryBodies(key: string, entry: unknown, root: string, reader: Reader): readonly WebhookBody[] {
  const item = follow({ value: mapping(entry), pointer: below(root, key) }, reader);
  const used = methods.filter((method) => isRecord(item.value[method]));
  if (used.length === 0) leaveOut(item.pointer, 'webhooks', `${key} has no operation`, reader);
  return used.flatMap((method) => operationBodies(key, method, item, reader));
}

function operationBodies(key: string, method: string, item: Place, reader: Reader): readonly WebhookBody[] {
  const { value: operation, pointer } = child(item, method);
  const content = contentOf({ value: operation, pointer }, reader);
  if (typeof content === 'string') return leaveOut(pointer, 'requestBody', `${key} has ${content}`, reader);
  const { operationId, tags, summary, description } = operation;
  const parameters = [item.value['parameters'], operation['parameters']];
  const places = [item.pointer, pointer].map((each) => below(each, 'parameters'));
  return [
    lazyBody(
      {
        key,
        operationId: text(operationId),
        method: method.toUpperCase(),
        tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
        summary: text(summary),
        description: text(description),
        responses: Object.keys(mapping(operation['responses']))
          .filter((status) => !status.startsWith('x-'))
          .map((status) => (status === 'default' ? status : status.toUpperCase())),
        headers: parameters.flatMap((list, index) => headersOf(list, places[index] ?? pointer, reader)),
        extensions: Object.fromEntries(Object.entries(operation).filter(([name]) => name.startsWith('x-'))),
        ...content,
      },
      reader,
    ),
  ];
}

/** The place of the schema; of several media types that of the JSON one. A text says what it has instead. */
function contentOf(operation: Place, reader: Reader): Pick<WebhookBody, 'mediaType' | 'pointer'> | string {
  const content = child(follow(child(operation, 'requestBody'), reader), 'content');
  const types = Object.keys(content.value);
  const isJson = [/^application\/json\b/i, /[/+]json\b/i, /^(application|\*)\/\*$/];
  const mediaType = isJson.map((form) => types.find((type) => form.test(type))).find((type) => type !== undefined);
  if (mediaType === undefined)
    return types.length === 0 ? 'no body' : `a body of ${types.join(' or ')}, and only JSON is sent`;
  const { value, pointer } = child(content, mediaType);
  return value['schema'] === undefined ? 'a body without a schema' : { mediaType, pointer: below(pointer, 'schema') };
}

type Eager = Omit<WebhookBody, 'schema' | 'validate' | 'report'>;

function lazyBody(eager: Eager, { bundle, envelope, compile, warn }: Reader): WebhookBody {
  const read = once((): Bundle => {
    const own = bundle(eager.pointer);
    return envelope === undefined ? own : both(own, bundle(envelope));
  });
  const compiled = once(() => compile(`the webhook ${eager.key}`, read().schema));
  return {
    ...eager,
    get schema() {
      return read().schema;
    },
    get validate() {
      return compiled().validate;
    },
    report: (place, problem) => {
      warn({ pointer: read().source(place), ...problem });
    },
  };
}

function headersOf(list: unknown, pointer: string, reader: Reader): readonly WebhookHeader[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((parameter, index): readonly WebhookHeader[] => {
    const { value, pointer: place } = follow({ value: mapping(parameter), pointer: below(pointer, index) }, reader);
    const { name, in: where, required, schema, description, example } = value;
    if (typeof name !== 'string' || where !== 'header') return [];
    const read = once((): Bundle => reader.bundle(below(place, 'schema')));
    return [
      {
        name,
        isRequired: required === true,
        description: text(description),
        pointer: place,
        example: [example, mapping(schema)['const'], mapping(schema)['example'], mapping(schema)['default']]
          .filter((each) => typeof each === 'string' || typeof each === 'number')
          .map(String)
          .find(isHeaderValue),
        get schema() {
          return schema === undefined ? true : read().schema;
        },
      },
    ];
  });
}

function componentBodies(names: RegExp, reader: Reader): readonly WebhookBody[] {
  const schemas = mapping(mapping(reader.document['components'])['schemas']);
  const chosen = Object.keys(schemas).filter((name) => names.test(name));
  return chosen.map((key) =>
    lazyBody(
      {
        key,
        operationId: undefined,
        method: 'POST',
        tags: [],
        summary: text(mapping(schemas[key])['title']),
        description: text(mapping(schemas[key])['description']),
        responses: [],
        headers: [],
        extensions: {},
        mediaType: 'application/json',
        pointer: below('#/components/schemas', key),
      },
      reader,
    ),
  );
}

/** The part that a reference leads to, however often; nothing in it where it leads nowhere. */
function follow(place: Place, reader: Reader): Place {
  const trail = new Set<string>();
  for (let { value, pointer } = place; ;) {
    const reference = value['$ref'];
    if (typeof reference !== 'string') return { value, pointer };
    try {
      if (trail.has(reference))
        throw new ContractError('contract/unresolvable-reference', `The $ref "${reference}" leads back to itself.`);
      trail.add(reference);
      value = mapping(pointed(reader.document, reference));
      pointer = decoded(reference);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      reader.warn({ pointer: below(pointer, '$ref'), keyword: '$ref', effect: 'left-out', message: error.message });
      return { value: {}, pointer };
    }
  }
}

function child({ value, pointer }: Place, name: string): Place {
  return { value: mapping(value[name]), pointer: below(pointer, name) };
}

function leaveOut(pointer: string, keyword: string, what: string, { warn }: Reader): readonly [] {
  warn({ pointer, keyword, effect: 'left-out', message: `The webhook ${what}. It is left out.` });
  return [];
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
