import { valueAt, type Json } from '../../../generators/index.ts';
import type { Contract } from '../../../spec/contract.ts';
import type { Location } from '../../../spec/location.ts';
import { isJsonType, mediaTypeOf } from '../mediaType.ts';
import type { PrismOperation } from '../prismOperation.ts';
import type { SeenRequest } from '../prismInput.ts';
import { type Problem, sendProblem } from '../../engine/problem.ts';
import { createPrism } from './prism.ts';
import type { Prism } from './prism.ts';

/**
 * Takes the notifications of every event at one address. Which schema a notification is checked against is what its own
 * member says that names the event, as it is for any receiver.
 *
 * @param webhooks - the contract's notifications, as Prism has read them
 */
export function createReceiver(contract: Contract, webhooks: readonly PrismOperation[]): Prism {
  const { method } = contract.delivery;
  const paths = new Map(contract.events.map(({ name, operationId }) => [name, pathOf(webhooks, operationId)]));
  const prism = createPrism([...webhooks]);
  return async (request, response) => {
    if (request.method !== method) {
      response.setHeader('allow', method);
      return sendProblem(response, notThisWay(request.method, method));
    }
    const mediaType = mediaTypeOf(request.headers);
    if (mediaType !== '' && !isJsonType(mediaType)) return sendProblem(response, notJson(mediaType, contract));
    const event = eventIn(request, contract.delivery.event);
    const path = typeof event === 'string' ? paths.get(event) : undefined;
    if (path === undefined) return sendProblem(response, noSuchEvent(event, contract));
    return prism({ ...request, path }, response);
  };
}

function pathOf(webhooks: readonly PrismOperation[], operationId: string): string | undefined {
  return webhooks.find(({ iid }) => iid === operationId)?.path;
}

function eventIn({ body, headers }: SeenRequest, at: Location): Json | undefined {
  if (at.in === 'header') return headers.find(([name]) => name.toLowerCase() === at.name.toLowerCase())?.[1];
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
  const names = events.map(({ name }) => name).join(', ');
  return {
    status: 422,
    title: 'No notification',
    detail: `The request ${found}. Valid are notifications of ${names}. Send one of these as ${delivery.mediaType}.`,
  };
}
