import type * as Operations from '@stoplight/prism-http/dist/utils/operations.js';

import type { Contract, Operation } from '../../spec/contract.ts';
import { KitError } from '../errors.ts';
import { judgeRequest, judgeResponse } from './judge.ts';
import { isJsonType, type PrismOperation, prismPart } from './prismInput.ts';

// The whole of the package takes twice the time to load, and 45 MB more: it can also make up answers.
const { getHttpOperationsFromSpec } = prismPart<typeof Operations>('@stoplight/prism-http/dist/utils/operations.js');

type Document = Readonly<Record<string, unknown>>;

/**
 * Prism drops any schema whose dialect it does not know by exactly this name, and then accepts everything. The dialect
 * of OpenAPI 3.1 is this one with a few annotations more.
 */
const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema';

/** What was read: Prism compiles the schemas of each reading anew, which takes half a second. */
const known = new WeakMap<Contract, Promise<readonly PrismOperation[]>>();

/**
 * Lets Prism read the operations of a contract's API from its document, once. `iid` is the operationId.
 *
 * @throws KitError where a schema does not compile in Prism, which would then accept anything
 */
export function prismOperations(contract: Contract): Promise<readonly PrismOperation[]> {
  const operations = known.get(contract) ?? readOperations(contract);
  known.set(contract, operations);
  return operations;
}

async function readOperations(contract: Contract): Promise<readonly PrismOperation[]> {
  const operations = await read(withNames(contract.document as unknown as Document));
  // Of a document of somebody else, Prism judges what it understands.
  if (isForeign(contract)) return operations.filter((each) => isOutspoken(contract.operations, each));
  requireOutspoken(contract.operations, operations);
  return operations;
}

/** The kit's own validators have read its schemas, and Prism might read them otherwise. */
function isForeign({ events }: Contract): boolean {
  return events.some(({ report }) => report !== undefined);
}

/** A document whose operations all have the names by which the contract calls them. */
function withNames(document: Document): Document {
  const { paths = {} } = document;
  const entries = Object.entries(paths as Document).map(([path, item]) => {
    const operations = Object.entries(item as Document).filter(([method]) => methods.test(method));
    const named = operations.map(([method, operation]) => [
      method,
      { operationId: `${method.toUpperCase()} ${path}`, ...(operation as Document) },
    ]);
    return [path, { ...(item as Document), ...Object.fromEntries(named) }];
  });
  return { ...document, paths: Object.fromEntries(entries) as Document };
}

const methods = /^(get|put|post|patch|delete|head|options|trace)$/;

function isOutspoken(own: readonly Known[], operation: PrismOperation): boolean {
  try {
    requireOutspoken(
      own.filter(({ operationId }) => operationId === operation.iid),
      [operation],
    );
    return true;
  } catch (error) {
    if (error instanceof KitError) return false;
    throw error;
  }
}

/**
 * The same for the notifications of a contract. Prism passes over `webhooks`, so they are shown to it as paths, each
 * under the name that it has in the document. None where the contract writes its events itself, or takes a document of
 * somebody else as it is.
 */
export async function prismWebhooks(contract: Contract): Promise<readonly PrismOperation[]> {
  if (isForeign(contract)) return [];
  // What the document asks of every call of the API, no notification carries.
  const { webhooks = {}, security: _, ...document } = contract.document as unknown as Document;
  const paths = Object.entries(webhooks as Document).map(([name, item]) => [`/${encodeURIComponent(name)}`, item]);
  const operations = await read({ ...document, paths: Object.fromEntries(paths) as unknown });
  const { mediaType } = contract.delivery;
  const events = contract.events.map(({ operationId, schema, validate }) => ({
    operationId,
    request: { [mediaType]: { schema, validate } },
    responses: {},
  }));
  requireOutspoken(events, operations);
  return operations;
}

/** Without callbacks: Prism would really make the requests that they describe. */
async function read(document: Document): Promise<readonly PrismOperation[]> {
  const operations = await getHttpOperationsFromSpec(structuredClone({ ...document, jsonSchemaDialect }));
  return operations.map((operation) => ({ ...operation, callbacks: [] }));
}

type Known = Pick<Operation, 'operationId' | 'request' | 'responses'>;

/** Values that few schemas take all of. None is empty: Prism does not look at the schema of a body that is not there. */
const probes: readonly unknown[] = [[], {}, 'a', 1, true];

/**
 * Makes sure that Prism refuses something wherever the kit's own validator does: a schema that does not compile in
 * Prism passes everything, silently.
 *
 * @throws KitError (`SW_PRISM_SILENT`)
 */
function requireOutspoken(own: readonly Known[], operations: readonly PrismOperation[]): void {
  for (const { operationId, request, responses } of own) {
    const operation = operations.find(({ iid }) => iid === operationId);
    if (operation === undefined) throw silent(operationId, 'has not read this operation');
    requireRefusals(operationId, request, (mediaType, body) =>
      judgeRequest(operation, { ...operation, headers: typed(mediaType), body: kept(body) }),
    );
    for (const [status, content] of Object.entries(responses)) {
      requireRefusals(operationId, content, (mediaType, body) =>
        judgeResponse(operation, { status: statusOf(status), headers: typed(mediaType), body: kept(body) }),
      );
    }
  }
}

type Judge = (mediaType: string, body: unknown) => readonly { readonly where: readonly string[] }[];

function requireRefusals(operationId: string, content: Operation['request'], judge: Judge): void {
  for (const [mediaType, { validate }] of Object.entries(content)) {
    const refused = probes.filter((probe) => isJsonType(mediaType) && !validate(probe));
    const isSilent = refused.every((probe) => !judge(mediaType, probe).some(({ where }) => where[0] === 'body'));
    if (refused.length > 0 && isSilent) throw silent(operationId, `accepts any body of ${mediaType}`);
  }
}

function kept(value: unknown): { readonly kind: 'json'; readonly value: unknown } {
  return { kind: 'json', value };
}

function typed(mediaType: string): readonly (readonly [string, string])[] {
  return [['content-type', mediaType]];
}

/** Some status that a key of `responses` stands for: `201`, `4XX`, `default`. */
function statusOf(key: string): number {
  return key === 'default' ? 599 : Number(key.replaceAll('X', '0'));
}

function silent(operationId: string, what: string): KitError {
  return new KitError('SW_PRISM_SILENT', {
    received: `Prism ${what}, where the contract is stricter: ${operationId}`,
    next: 'report it; until it is fixed, Prism cannot judge by this contract',
  });
}

/** The path of a contract's base address, without a slash at its end: `/v1`; empty where it is the root. */
export function basePath({ document }: Pick<Contract, 'document'>): string {
  const { url = '/', variables = {} } = document.servers?.[0] ?? {};
  const filled = url.replace(/\{([^}]*)\}/g, (_, name: string) => variables[name]?.default ?? '');
  return new URL(filled, 'http://localhost').pathname.replace(/\/+$/, '');
}

/** The rest of a path below a base path, or nothing where it does not lie there. */
export function below(base: string, path: string): string | undefined {
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}
