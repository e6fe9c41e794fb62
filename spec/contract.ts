import { createHash } from 'node:crypto';

import type { OpenAPIV3_1 } from 'openapi-types';

import type { AssumptionDefinition } from './assumptions.ts';
import { type CompiledSchema, type ValidateFunction, createCompile } from './compile.ts';
import { ContractError, type DocumentWarning } from './contractError.ts';
import { createForeignCompile } from './foreign/readForeignSchema.ts';
import { type ContractTexts, shippedTexts } from './contractFiles.ts';
import { type ContractForm, parseContractForm } from './contractForm.ts';
import { type DeclaredTerms, type DeliveryTerms, deliveryTerms } from './delivery.ts';
import { type Dereference, createDereference } from './pointer.ts';
import { type Catalogue, type CatalogueEvent, documentEvents } from './events.ts';
import { foreignEvents, withListedEvents } from './foreignEvents.ts';
import { assumptionsOf, requirementsOf } from './general.ts';
import { type JsonSchema, isRecord, mapping } from './jsonSchema.ts';
import type { OperationRole } from './names.ts';
import { compileWithin, openDocument, type OpenedDocument, overlaid, parseSchemas } from './openapiDocument.ts';
import { type Operation, parseOperations, type ParameterValues } from './operations.ts';
import type { Gap, Requirement } from './requirement.ts';
import { withOwnReferences, requireSchemas } from './ownSchemas.ts';
import { parseServiceTerms } from './parseServiceTerms.ts';
import type { ServiceTerms } from './serviceTerms.ts';

export type { ValidateFunction } from './compile.ts';
export { ContractError } from './contractError.ts';
export type { ContractTexts } from './contractFiles.ts';
export type { DeliveryTerms } from './delivery.ts';
export type { CatalogueEvent, IncludedResource } from './events.ts';
export type { JsonSchema, SchemaObject } from './jsonSchema.ts';
export type { Operation } from './operations.ts';
export type { ServiceTerms } from './serviceTerms.ts';

/** An operation by the part that it plays, or by its operationId where that was read from the contract. */
export type OperationChoice = OperationRole | { readonly operationId: string };

/** A loaded contract: all that the kit knows of the service whose receivers and implementations it judges. */
export interface Contract {
  /** What `--contract` calls it: a name of the kit's own, or the path of a file. */
  readonly name: string;
  /** Of all its texts: two contracts with the same digest are the same. */
  readonly digest: string;
  readonly title: string;
  readonly version: string;
  /** Where the provider promises all this; nothing where the contract does not say. */
  readonly source: string | undefined;
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
   * What of the document was not taken as it stands. It grows while events are drawn: their schemas are read only then.
   */
  readonly warnings: readonly DocumentWarning[];
  /**
   * The operation that plays this part, or has this operationId.
   *
   * @throws ContractError (`contract/unknown-name`) where the document has none, or the contract no `service`
   * @example contract.operation('create').path // '/webhooks'
   */
  operation(which: OperationChoice): Operation;
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

/**
 * Loads a contract: reads its texts, writes every reference out, proves that every schema compiles.
 *
 * @param texts - not paths: see `contractFiles.ts`. Default: the tracking service, whose schemas a test has proven
 * @param given.name - what `--contract` calls it. Default: `contract.yaml`
 * @throws ContractError where anything in it could make a check pass or fail for a wrong reason
 * @example loadContract().events.map(({ name }) => name)
 */
export function loadContract(texts?: ContractTexts, given: { readonly name?: string } = {}): Contract {
  if (texts === undefined) return load(shippedTexts('tracking'), { name: 'tracking', trusted: true });
  return load(texts, { name: given.name ?? 'contract.yaml', trusted: false });
}

function load(texts: ContractTexts, { name, trusted }: { readonly name: string; readonly trusted: boolean }): Contract {
  const form = parseContractForm(texts.contract, { trusted });
  const terms = deliveryTerms(form);
  const { requirements, gaps } = requirementsOf(form, terms, texts.requirements);
  const { root, title, version } = openDocument(texts.openapi, form, trusted ? undefined : gaps);
  const warnings: DocumentWarning[] = [];
  const { events, acceptedStatuses, operations, schemas } =
    form.strict === true ? readStrictly(form, root, terms, { trusted }) : readLeniently(form, root, terms, warnings);
  const names = events.map(({ name }) => name);
  const service = parseServiceTerms(form.service, names, operations);
  const assumptions = assumptionsOf(texts.assumptions, { terms, gaps, service, operations });
  return {
    name,
    digest: createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16),
    title,
    version,
    source: form.source,
    document: root as unknown as OpenAPIV3_1.Document,
    operations,
    events,
    delivery: { ...terms, acceptedStatuses },
    service,
    requirements,
    gaps,
    assumptions,
    warnings,
    operation: (which) =>
      typeof which === 'string'
        ? named('operation with the role', rolesOf(service, operations), which)
        : named('operation', new Map(operations.map((each) => [each.operationId, each])), which.operationId),
    schema: (name) => named('schema', schemas, name).schema,
    validator: (name) => named('schema', schemas, name).validate,
    requirement: (id) => named('requirement', new Map(requirements.map((each) => [each.id, each])), id),
  };
}

/** What of a document has been read. */
interface ReadDocument extends Catalogue {
  readonly operations: readonly Operation[];
  readonly schemas: ReadonlyMap<string, CompiledSchema>;
}

/** A document of which everything is proven, whether or not it is used, unless a test has proven it. */
function readStrictly(
  form: ContractForm,
  root: OpenedDocument['root'],
  terms: DeclaredTerms,
  { trusted }: { readonly trusted: boolean },
): ReadDocument {
  const compile = createCompile({ trusted });
  const dereference = createDereference(root);
  const schemas = parseSchemas(root, dereference, compile);
  const { paths, webhooks, components } = dereferenceParts(root, dereference);
  if (!trusted) compileWithin({ paths, webhooks, components }, '#', compile);
  const operations = parseOperations(paths, root['security'], compile, { values: valuesOf(form) });
  return { ...documentEvents(form, { webhooks, dereference, terms, compile }), operations, schemas };
}

/** A document of somebody else: of its API only that is read which a service block is about. */
function readLeniently(
  form: ContractForm,
  root: OpenedDocument['root'],
  terms: DeclaredTerms,
  warnings: DocumentWarning[],
): ReadDocument {
  const own = withOwnReferences(form);
  const document = withListedEvents(overlaid(root, form.overlay ?? []), own);
  requireSchemas(own, document);
  const catalogue = foreignEvents(own, document, terms, (warning) => warnings.push(warning));
  if (form.service === undefined) return { ...catalogue, operations: [], schemas: new Map() };
  const dereference = createDereference(document, { circles: 'open' });
  const compile = createForeignCompile(document);
  const schemas = parseSchemas(document, dereference, compile);
  const { paths } = dereferenceParts(document, dereference);
  return {
    ...catalogue,
    operations: parseOperations(paths, document['security'], compile, { unnamed: true, values: valuesOf(form) }),
    schemas,
  };
}

function valuesOf({ service }: ContractForm): ParameterValues {
  return mapping(service?.['parameters']) as ParameterValues;
}

/** The parts of a document that hold operations, and the components but the schemas, which have names of their own. */
function dereferenceParts(root: Readonly<Record<string, unknown>>, dereference: Dereference) {
  const components = isRecord(root['components']) ? root['components'] : {};
  const { paths, webhooks } = root;
  const parts = dereference({ paths, webhooks, components: { ...components, schemas: {} } });
  return isRecord(parts) ? parts : {};
}

function rolesOf(service: ServiceTerms | undefined, operations: readonly Operation[]): ReadonlyMap<string, Operation> {
  const roles = Object.entries(service?.operations ?? {});
  return new Map(
    roles.flatMap(([role, id]) =>
      operations.filter(({ operationId }) => operationId === id).map((each) => [role, each]),
    ),
  );
}

function named<T>(what: string, all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found !== undefined) return found;
  throw new ContractError(
    'contract/unknown-name',
    `The contract has no ${what} "${name}"; it has ${[...all.keys()].join(', ')}. Ask for one of these.`,
  );
}
