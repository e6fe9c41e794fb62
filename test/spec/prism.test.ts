import { fileURLToPath } from 'node:url';

import { transformOas3WebhookOperations } from '@stoplight/http-spec/oas3/operation';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { describe, expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';

/** A reader of OpenAPI documents that was not written here: whatever it understands otherwise is ambiguous. */
describe('Prism, as a second opinion', async () => {
  const contract = loadContract();
  const file = fileURLToPath(new URL('../../spec/contracts/tracking/openapi.yaml', import.meta.url));
  const operations = await getHttpOperationsFromSpec(file);
  const webhooks = transformOas3WebhookOperations(
    structuredClone(contract.document) as unknown as Record<string, unknown>,
  );

  it('sees every operation', () => {
    expect(operations.map(({ method, path, iid }) => `${iid}: ${method.toUpperCase()} ${path}`).toSorted()).toEqual(
      contract.operations.map(({ operationId, method, path }) => `${operationId}: ${method} ${path}`).toSorted(),
    );
  });

  it('sees the key that every operation needs', () => {
    for (const { security } of operations) {
      expect(security).toMatchObject([[{ type: 'apiKey', in: 'header', name: 'Authorization' }]]);
    }
  });

  it('sees the same media types', () => {
    for (const { iid, request, responses } of operations) {
      const own = contract.operations.find(({ operationId }) => operationId === iid);
      expect(request?.body?.contents?.map(({ mediaType }) => mediaType) ?? []).toEqual(Object.keys(own?.request ?? {}));
      const theirs = responses.map(({ code, contents }) => [code, contents?.map(({ mediaType }) => mediaType) ?? []]);
      const ours = Object.entries(own?.responses ?? {}).map(([status, content]) => [status, Object.keys(content)]);
      expect(Object.fromEntries(theirs)).toEqual(Object.fromEntries(ours));
    }
  });

  it('sees all 43 webhooks, their groups and the statuses that end a delivery', () => {
    const rows = webhooks.map(({ name, method, tags, responses, security }) => ({
      name,
      method,
      group: tags?.map((tag) => tag.name),
      statuses: responses?.map(({ code }) => code),
      security,
    }));
    expect(rows).toEqual(
      contract.events.map(({ name, group }) => ({
        name,
        method: 'post',
        group: [group],
        statuses: ['200', '201', '202', '204'],
        security: [],
      })),
    );
    expect(webhooks.length).toBe(43);
  });
});
