import { readFileSync } from 'node:fs';

import type { OpenAPIV3_1 } from 'openapi-types';

import { parseAssumptions } from './assumptionDefinitions.ts';
import type { AssumptionDefinition } from './assumptions.ts';
import type { Compile, ValidateFunction } from './compile.ts';
import { createCompile } from './compile.ts';
import { ContractError } from './contractError.ts';
import type { DeliveryTerms } from './delivery.ts';
import { parseDelivery } from './delivery.ts';
import type { Dereference } from './dereference.ts';
import { createDereference } from './dereference.ts';
import type { CatalogueEvent } from './events.ts';
import { catalogueOf, parseEvents } from './events.ts';
import type { JsonSchema } from './jsonSchema.ts';
import { isRecord } from './jsonSchema.ts';
import type { Operation } from './operations.ts';
import { parseOperations } from './operations.ts';
import { openDocument } from './openDocument.ts';
import type { Gap, Requirement } from './requirements.ts';
import { parseRequirements } from './requirements.ts';
import { compileWithin, parseSchemas } from './schemas.ts';
import type { ServiceTerms } from './serviceTerms.ts';
import { parseServiceTerms } from './serviceTerms.ts';

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
  readonly events: readonly CatalogueEvent[];
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
