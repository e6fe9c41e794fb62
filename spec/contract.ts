import { readFileSync } from 'node:fs';
import type { OpenAPIV3_1 } from 'openapi-types';

import { parseAssumptions } from './assumptionDefinitions.ts';
import type { AssumptionDefinition } from './assumptions.ts';
import { type Compile, type ValidateFunction, createCompile, type CompiledSchema } from './compile.ts';
import { ContractError } from './contractError.ts';
import { type DeliveryTerms, parseDelivery } from './delivery.ts';
import { type Dereference, createDereference } from './dereference.ts';
import { type CatalogueEvent, catalogueOf, parseEvents } from './events.ts';
import { type JsonSchema, isRecord } from './jsonSchema.ts';
import { type Operation, parseOperations, gapsOf } from './operations.ts';
import { type Gap, type Requirement, parseRequirements } from './requirements.ts';
import { type ServiceTerms, parseServiceTerms } from './serviceTerms.ts';
import { readYaml } from './readYaml.ts';

export type { ValidateFunction } from './compile.ts';
export { ContractError } from './contractError.ts';
export type { DeliveryTerms } from './delivery.ts';
export type { CatalogueEvent } from './events.ts';
export type { IncludedResource } from './included.ts';
export type { JsonSchema, SchemaObject } from './jsonSchema.ts';
export type { Operation } from './operations.ts';
export type { ServiceTerms } from './serviceTerms.ts';

/** A loaded contract: all that the kit knows of the service whose receivers and implementations it judges. */
export interface Contract {
  readonly title: string;
  readonly version: string;
  readonly document: OpenAPIV3_1.Document;
  readonly operations: readonly Operation[];
  /** In the order of the catalogue. */
  readonly events: readonly [CatalogueEvent, ...CatalogueEvent[]];
  readonly delivery: DeliveryTerms;
  /** Nothing where the document describes deliveries only. */
  readonly service: ServiceTerms | undefined;
  readonly requirements: readonly Requirement[];
  readonly gaps: readonly Gap[];
  readonly assumptions: readonly AssumptionDefinition[];
  /**
   * A schema below `components.schemas`, references written out inline.
   *
   * @throws ContractError (`contract/unknown-name`)
   */
  schema(name: string): JsonSchema;
  /**
   * The compiled form of that schema; it reports every error.
   *
   * @throws ContractError (`contract/unknown-name`)
   */
  validator(name: string): ValidateFunction;
  /** @throws ContractError (`contract/unknown-name`) */
  requirement(id: string): Requirement;
}

/** The three YAML texts of a contract. */
export interface ContractTexts {
  readonly openapi: string;
  readonly requirements: string;
  readonly assumptions: string;
}

/** The texts of the contract that ships with the kit. Read afresh at each call. */
export function shippedTexts(): ContractTexts {
  const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
  return {
    openapi: read('./openapi.yaml'),
    requirements: read('./requirements.yaml'),
    assumptions: read('./assumptions.yaml'),
  };
}

/**
 * Loads a contract: reads its texts, writes every reference out, proves that every schema compiles.
 *
 * @param texts - YAML texts, not paths. Default: the contract that ships with the kit, whose schemas a test has proven
 * @throws ContractError where anything in it could make a check pass or fail for a wrong reason
 * @example loadContract().events.map(({ name }) => name)
 */
export function loadContract(texts?: ContractTexts): Contract {
  return texts === undefined ? load(shippedTexts(), createCompile({ trusted: true })) : load(texts, createCompile());
}

function load(texts: ContractTexts, compile: Compile): Contract {
  const { requirements, gaps } = parseRequirements(texts.requirements);
  const assumptions = parseAssumptions(texts.assumptions, gaps);
  const { root, title, version } = openDocument(texts.openapi, gaps);
  const dereference = createDereference(root);
  const schemas = parseSchemas(root, dereference, compile);
  const { paths, webhooks, components } = dereferenceParts(root, dereference);
  compileWithin(paths, '#/paths', compile);
  compileWithin(webhooks, '#/webhooks', compile);
  compileWithin(components, '#/components', compile);
  const terms = parseDelivery(root);
  const { events, acceptedStatuses } = parseEvents(webhooks, catalogueOf(root, dereference), terms, compile);
  return {
    title,
    version,
    document: root as unknown as OpenAPIV3_1.Document,
    operations: parseOperations(paths, root['security'], compile),
    events,
    delivery: { ...terms, acceptedStatuses },
    service: parseServiceTerms(
      root,
      events.map(({ name }) => name),
    ),
    requirements,
    gaps,
    assumptions,
    schema: (name) => named('schema', schemas, name).schema,
    validator: (name) => named('schema', schemas, name).validate,
    requirement: (id) => named('requirement', new Map(requirements.map((each) => [each.id, each])), id),
  };
}

/** The parts of a document that hold operations, and the components but the schemas, which have names of their own. */
function dereferenceParts(root: Readonly<Record<string, unknown>>, dereference: Dereference) {
  const components = isRecord(root['components']) ? root['components'] : {};
  const { paths, webhooks } = root;
  const parts = dereference({ paths, webhooks, components: { ...components, schemas: {} } });
  return isRecord(parts) ? parts : {};
}

function named<T>(what: string, all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found !== undefined) return found;
  throw new ContractError(
    'contract/unknown-name',
    `The contract has no ${what} "${name}"; it has ${[...all.keys()].join(', ')}. Ask for one of these.`,
  );
}

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Compiles every schema below `components.schemas`, whether or not anything refers to it.
 *
 * @throws ContractError for a schema that does not compile or whose references cannot be written out
 */
function parseSchemas(
  document: Mapping,
  dereference: Dereference,
  compile: Compile,
): ReadonlyMap<string, CompiledSchema> {
  const components = document['components'];
  const schemas = isRecord(components) && isRecord(components['schemas']) ? components['schemas'] : {};
  return new Map(
    Object.keys(schemas).map((name) => {
      const reference = `#/components/schemas/${escape(name)}`;
      return [name, compile(reference, dereference({ $ref: reference }))];
    }),
  );
}

/**
 * Compiles every schema of parameters, headers and bodies within a part of the document, used or not.
 *
 * @param part - with its references written out inline
 * @param where - a JSON Pointer to the part, for messages
 * @throws ContractError for a schema that does not compile
 */
function compileWithin(part: unknown, where: string, compile: Compile): void {
  if (Array.isArray(part)) {
    part.forEach((item, index) => {
      compileWithin(item, `${where}/${index}`, compile);
    });
  }
  if (!isRecord(part)) return;
  for (const [name, value] of Object.entries(part)) {
    const place = `${where}/${escape(name)}`;
    if (name === 'schema') compile(place, value);
    else if (!/^(x-.*|examples?)$/.test(name)) compileWithin(value, place, compile);
  }
}

function escape(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** An OpenAPI document as it was read, references as they stand. */
interface OpenedDocument {
  readonly root: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly version: string;
}

/**
 * Reads an OpenAPI 3.1 document.
 *
 * @param text - YAML (or JSON, which is YAML)
 * @param gaps - the gaps that its `x-gap` marks may name
 * @throws ContractError for another version, a missing title or version, or a mark for a gap that is not listed
 */
function openDocument(text: string, gaps: readonly Gap[]): OpenedDocument {
  const root = readYaml('openapi.yaml', text);
  const { openapi, info } = root;
  const { title, version } = isRecord(info) ? info : {};
  if (typeof openapi !== 'string' || !/^3\.1\.\d+$/.test(openapi)) {
    throw invalid(`has the version ${JSON.stringify(openapi) ?? 'nothing'}`, 'openapi: 3.1.1');
  }
  if (typeof title !== 'string' || typeof version !== 'string') {
    throw invalid('has no info.title or info.version', 'a text for each of them');
  }
  refuseUnknownGaps(root, gaps);
  return { root, title, version };
}

function refuseUnknownGaps(root: unknown, gaps: readonly Gap[]): void {
  const stray = marks(root).find((id) => !gaps.some((gap) => gap.id === id));
  if (stray === undefined) return;
  throw new ContractError(
    'contract/gap-unknown',
    `openapi.yaml marks something with the gap ${stray}, which requirements.yaml does not list. Correct the mark, or add the gap.`,
  );
}

function marks(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(marks);
  if (!isRecord(part)) return [];
  return Object.entries(part).flatMap(([name, value]) => (name === 'x-gap' ? gapsOf(value) : marks(value)));
}

function invalid(what: string, valid: string): ContractError {
  return new ContractError('contract/openapi-version', `openapi.yaml ${what}; valid is ${valid}. Correct its head.`);
}
