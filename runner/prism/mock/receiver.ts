import { valueAt, type Json } from '../../../generators/index.ts';
import type { CatalogueEvent, Contract } from '../../../spec/contract.ts';
import type { Location } from '../../../spec/location.ts';
import { isJsonType, type PrismOperation, type SeenRequest } from '../prismInput.ts';
import { type Problem, sendProblem } from '../../http/listen.ts';
import { createPrism, type Prism } from './prism.ts';
import { headerValue, mediaTypeIn } from '../../../spec/headerText.ts';

/**
 * Takes the notifications of every event at one address. Which schema a notification is checked against is what its own
 * member says that names the event, as it is for any receiver.
 *
 * @param webhooks - the contract's notifications, as Prism has read them
 */
export function createReceiver(contract: Contract, webhooks: readonly PrismOperation[]): Prism {
  const { method } = contract.delivery;
  const paths = new Map(contract.events.map(({ value, operationId }) => [value, pathOf(webhooks, operationId)]));
  const prism = createPrism([...webhooks]);
  return async (request, response) => {
    if (request.method !== method) {
      response.setHeader('allow', method);
      return sendProblem(response, notThisWay(request.method, method));
    }
    const mediaType = mediaTypeIn(request.headers);
    if (mediaType !== '' && !isJsonType(mediaType)) return sendProblem(response, notJson(mediaType, contract));
    const event = eventIn(request, contract.delivery.event);
    const path = typeof event === 'string' ? paths.get(event) : undefined;
    if (path !== undefined) return prism({ ...request, path }, response);
    const possible = contract.events.filter(({ value }) => value === event);
    if (possible.length === 0) return sendProblem(response, noSuchEvent(event, contract));
    const problem = problemOf(request, possible);
    if (problem !== undefined) return sendProblem(response, problem);
    response.writeHead(contract.delivery.acceptedStatuses[0]).end();
  };
}

/** What the kit's own validators have against a body; nothing where it is one of these events. */
function problemOf({ body }: SeenRequest, events: readonly CatalogueEvent[]): Problem | undefined {
  if (body.kind !== 'json')
    return { status: 422, title: 'No notification', detail: 'It has no JSON as its body. Send one.' };
  if (events.some(({ validate }) => validate(body.value))) return undefined;
  const [error] = events[0]?.validate.errors ?? [];
  const where = error === undefined || error.instancePath === '' ? 'The body' : error.instancePath;
  return { status: 422, title: 'Not valid', detail: `${where} ${error?.message ?? 'is not valid'}. Correct it.` };
}

function pathOf(webhooks: readonly PrismOperation[], operationId: string): string | undefined {
  return webhooks.find(({ iid }) => iid === operationId)?.path;
}

function eventIn({ body, headers }: SeenRequest, at: Location): Json | undefined {
  if (at.in === 'header') return headerValue(headers, at.name);
  return body.kind === 'json' ? valueAt(body.value as Json, at.pointer) : undefined;
}

function notThisWay(received: string, valid: string): Problem {
  return {
    status: 405,
    title: 'Method not allowed',
    detail: `Notifications come by ${valid}, and this was ${received}. Use ${valid}.`,
  };
}

function notJson(received: string, { delivery: { mediaType } }: Contract): Problem {
  const detail = `Notifications are ${mediaType}, and this was ${received}. Send it with Content-Type: ${mediaType}.`;
  return { status: 415, title: 'Unsupported media type', detail };
}

function noSuchEvent(received: Json | undefined, { delivery, events }: Contract): Problem {
  const place = delivery.event.in === 'header' ? `the header ${delivery.event.name}` : delivery.event.pointer;
  const found = received === undefined ? `names no event at ${place}` : `has ${JSON.stringify(received)} at ${place}`;
  const names = [...new Set(events.map(({ value }) => value))].join(', ');
  return {
    status: 422,
    title: 'No notification',
    detail: `The request ${found}. Valid are notifications of ${names}. Send one of these as ${delivery.mediaType}.`,
  };
}
