import { randomUUID } from 'node:crypto';

import type { CatalogueEvent, Contract } from '../../spec/contract.ts';
import { awaitingManifest, itinerary, notFound } from './itinerary.ts';
import { idOf, journeyOf } from './journey.ts';
import type { WriteTime } from './policies.ts';
import type { Occurrence, Resource, TrackingRequest } from './records.ts';
import { containerResource, resourcesByType, type Scene, shipmentResource } from './scene.ts';

const dayLength = 86_400_000;

/** What happens at a scene: its event, with the resources that the contract says accompany it. */
export function occurrenceAt(scene: Scene, contract: Contract): Occurrence {
  const { event } = scene.station;
  const included = eventNamed(event, contract).included.flatMap(({ type, most }) => {
    const resources = resourcesByType[type];
    if (resources === undefined)
      throw new Error(`The contract lets a ${type} accompany ${event}; add it to resourcesByType.`);
    return resources(scene).slice(0, most);
  });
  return { event, included };
}

/** An occurrence of an event on a made-up voyage, as if it happened now. Its records stand in no list. */
export function madeUpOccurrence(event: string, contract: Contract, timestamp: WriteTime): Occurrence {
  return occurrenceAt(sceneOf(event, timestamp, idOf('made up')), contract);
}

/** An occurrence of an event on a voyage that was never heard of before, with all that is shipped on it. */
export interface Story {
  readonly occurrence: Occurrence;
  readonly shipment: Resource;
  readonly containers: readonly Resource[];
}

/** @throws Error where the itinerary has no such event */
export function storyOf(event: string, contract: Contract, timestamp: WriteTime): Story {
  const scene = sceneOf(event, timestamp, randomUUID());
  return {
    occurrence: occurrenceAt(scene, contract),
    shipment: shipmentResource(scene),
    containers: scene.journey.containers.map((each) => containerResource(scene, each)),
  };
}

function sceneOf(event: string, timestamp: WriteTime, id: string): Scene {
  const station = [...itinerary, awaitingManifest, notFound].find((each) => each.event === event);
  if (station === undefined) throw new Error(`No station of the voyage raises ${event}; add it to the itinerary.`);
  const begin = Date.now() - station.day * dayLength;
  return { journey: journeyOf(madeUpRequest(begin, id)), station, container: 0, begin, timestamp };
}

function madeUpRequest(at: number, id: string): TrackingRequest {
  const order = { type: 'bill_of_lading', number: 'MAEU123456789', scac: 'MAEU' };
  return { id, ...order, status: 'created', failedReason: null, createdAt: at, updatedAt: at };
}

function eventNamed(name: string, { events }: Contract): CatalogueEvent {
  const event = events.find((each) => each.name === name);
  if (event === undefined) throw new Error(`The catalogue has no event ${name}; correct the itinerary.`);
  return event;
}
