import type { Contract } from '../../spec/contract.ts';
import { openContract } from '../../runner/options/openContract.ts';

/** A service that others call as well. */
export interface Callable {
  readonly url: string;
  readonly token: string;
  /** The number of a shipment that it finds. */
  readonly trackable: string;
}

type Members = Record<string, unknown>;

interface OpenApiOperation {
  readonly operationId?: string;
  readonly requestBody?: { readonly content: Record<string, Members> };
  responses: Record<string, { readonly content?: Members }>;
}

/** What the reference service answers where the contract leaves it open. */
const succeeded: Readonly<Record<string, string>> = {
  triggerWebhook: '202',
  deleteWebhook: '204',
  createTrackingRequest: '201',
};

/** The document of a contract as programs read it that know nothing of the kit, and the calls that its examples make. */
export interface PeerDocument {
  readonly document: Members;
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[];
}

/**
 * The document of the first contract as a team would write it of its own service, for programs that read no more than usual
 * documents: as JSON, without what the service sends, with an example of each body, the id of a webhook that exists, and one status
 * in place of each range. XML, which one answer may have, is left out: one of them does not start with it.
 */
export async function peerDocument({ url, token, trackable }: Callable): Promise<PeerDocument> {
  const contract: Contract = openContract();
  const [issuer = '', number = ''] = trackable.split(':');
  const event = contract.events[0]!.name;
  const target = 'https://receiver.example/hooks';
  const creation = { data: { type: 'webhook', attributes: { url: target, active: true, events: [event] } } };
  const id = await created(`${url}/webhooks`, token, creation);
  const bodies: Readonly<Record<string, unknown>> = {
    createWebhook: creation,
    updateWebhook: { data: { id, type: 'webhook', attributes: { active: false } } },
    triggerWebhook: { url: target, event },
    createTrackingRequest: {
      data: {
        type: 'tracking_request',
        attributes: { request_type: 'bill_of_lading', request_number: number, scac: issuer },
      },
    },
    inferTrackingNumber: { number },
  };
  const { webhooks: _, ...document } = JSON.parse(JSON.stringify(contract.document)) as Members & {
    readonly paths: Record<string, Record<string, OpenApiOperation>>;
    readonly components: { readonly parameters: { readonly Id: Members } };
  };
  document['servers'] = [{ url }];
  document.components.parameters.Id['example'] = id;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      'responses' in operation ? [{ path, method, operation }] : [],
    ),
  );
  const calls = operations.map(({ path, method, operation }) => {
    const { '2XX': any, ...statuses } = operation.responses;
    if (any) operation.responses = { [succeeded[operation.operationId ?? ''] ?? '200']: any, ...statuses };
    const body = bodies[operation.operationId ?? ''];
    for (const { content } of Object.values(operation.responses)) delete content?.['application/xml'];
    for (const media of Object.values(operation.requestBody?.content ?? {})) media['example'] = body;
    return { method: method.toUpperCase(), path: path.replace('{id}', id), ...(body !== undefined && { body }) };
  });
  return { document, calls };
}

async function created(url: string, token: string, body: unknown): Promise<string> {
  const headers = { Authorization: `Token ${token}`, 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data } = (await answer.json()) as { readonly data?: { readonly id?: string } };
  // A service with a mistake may show none: the calls that name one then say so.
  return data?.id ?? '00000000-0000-4000-8000-000000000000';
}
