import { getHttpOperationsFromSpec } from '@stoplight/prism-http';

import type { Contract } from '../../spec/contract.ts';
import type { PrismOperation } from './prismOperation.ts';
import { requireOutspoken } from './requireOutspoken.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * Prism drops any schema whose dialect it does not know by exactly this name, and then accepts everything. The dialect
 * of OpenAPI 3.1 is this one with a few annotations more.
 */
const jsonSchemaDialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Lets Prism read the operations of a contract's API from its document. `iid` is the operationId.
 *
 * @throws KitError where a schema does not compile in Prism, which would then accept anything
 */
export async function prismOperations(contract: Contract): Promise<readonly PrismOperation[]> {
  const operations = await read(contract.document as unknown as Document);
  requireOutspoken(contract.operations, operations);
  return operations;
}

/**
 * The same for the notifications of a contract. Prism passes over `webhooks`, so they are shown to it as paths, each
 * under the name that it has in the document.
 */
export async function prismWebhooks(contract: Contract): Promise<readonly PrismOperation[]> {
  const { webhooks = {}, ...document } = contract.document as unknown as Document;
  const paths = Object.entries(webhooks as Document).map(([name, item]) => [`/${encodeURIComponent(name)}`, item]);
  const operations = await read({ ...document, paths: Object.fromEntries(paths) as unknown });
  const { mediaType } = contract.delivery;
  const known = contract.events.map(({ operationId, schema, validate }) => ({
    operationId,
    request: { [mediaType]: { schema, validate } },
    responses: {},
  }));
  requireOutspoken(known, operations);
  return operations;
}

/** Without callbacks: Prism would really make the requests that they describe. */
async function read(document: Document): Promise<readonly PrismOperation[]> {
  const operations = await getHttpOperationsFromSpec(structuredClone({ ...document, jsonSchemaDialect }));
  return operations.map((operation) => ({ ...operation, callbacks: [] }));
}
