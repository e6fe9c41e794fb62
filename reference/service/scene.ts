import { randomUUID } from 'node:crypto';

import type { CatalogueEvent, Contract } from '../../spec/contract.ts';
import { carriers } from './carriers.ts';
import {
  awaitingManifest,
  type Calendar,
  itinerary,
  notFound,
  places,
  type Station,
  type VesselName,
} from './itinerary.ts';
import { idOf, type Journey, journeyOf, type TrackedContainer } from './journey.ts';
import type { WriteTime } from './policies.ts';
import type { Occurrence, Resource, TrackingRequest } from './records.ts';

/** A station of a journey: all that is needed to report what happened there. */
export interface Scene {
  readonly journey: Journey;
  readonly station: Station;
  /** Which container it happened to, from 0. */
  readonly container: number;
  /** When the voyage began, in milliseconds since 1970 of the simulated clock. */
  readonly begin: number;
  /** How moments are written. */
  readonly timestamp: WriteTime;
}

const dayLength = 86_400_000;

/** How the resources of the contract look at a scene, by their type. Any number of one type, the first ones first. */
const resourcesByType: Readonly<Record<string, (scene: Scene) => readonly Resource[]>> = {
  tracking_request: ({ journey, timestamp }) => [trackingRequestResource(journey.request, timestamp)],
  shipment: (scene) => [shipmentResource(scene)],
  container: (scene) => {
    const own = scene.journey.containers[scene.container]!;
    return [own, ...scene.journey.containers.filter((other) => other !== own)].map((each) =>
      containerResource(scene, each),
    );
  },
  transport_event: (scene) => [transportEvent(scene)],
  location: (scene) => [location(scene)],
  terminal: (scene) => [terminal(scene)],
  vessel: (scene) => [vessel(scene)],
  document: (scene) => [document(scene)],
};

export function trackingRequestResource(request: TrackingRequest, timestamp: WriteTime): Resource {
  return {
    id: request.id,
    type: 'tracking_request',
    attributes: {
      request_type: request.type,
      request_number: request.number,
      scac: request.scac,
      status: request.status,
      failed_reason: request.failedReason,
      created_at: timestamp(request.createdAt),
      updated_at: timestamp(request.updatedAt),
    },
  };
}

export function shipmentResource(scene: Scene): Resource {
  const { journey, timestamp } = scene;
  const { scac, createdAt } = journey.request;
  return {
    id: journey.shipmentId,
    type: 'shipment',
    attributes: {
      bill_of_lading_number: journey.billOfLading,
      shipping_line_scac: scac,
      shipping_line_name: carriers[scac]?.name ?? scac,
      customer_name: 'Müller & Søn A/S',
      reference_numbers: ['PO-4711'],
      port_of_lading_locode: places.lading.locode,
      port_of_discharge_locode: places.discharge.locode,
      container_count: journey.containers.length,
      created_at: timestamp(createdAt),
      ...soFar(scene, 'shipment'),
    },
  };
}

export function containerResource(scene: Scene, { id, number }: TrackedContainer): Resource {
  return {
    id,
    type: 'container',
    attributes: {
      number,
      equipment_type: 'dry',
      equipment_length: 40,
      seal_number: null,
      available_for_pickup: false,
      pickup_last_free_day: null,
      fees_usd: 0,
      holds: [],
      pod_terminal: 'Pier 300',
      current_status: 'booked',
      ...soFar(scene, 'container'),
      updated_at: occurredAt(scene),
    },
  };
}

/** What the stations up to this one have changed. */
function soFar(scene: Scene, kind: 'shipment' | 'container'): object {
  const { station, begin, timestamp } = scene;
  const moment = (day: number) => timestamp(begin + day * dayLength);
  const calendar: Calendar = { moment, date: (day) => new Date(begin + day * dayLength).toISOString().slice(0, 10) };
  const passed = itinerary.slice(0, itinerary.indexOf(station) + 1);
  return Object.assign({}, ...passed.map((each) => each[kind]?.(calendar))) as object;
}

function occurredAt({ begin, station, timestamp }: Scene): string {
  return timestamp(begin + station.day * dayLength);
}

function transportEvent(scene: Scene): Resource {
  const { journey, station, container } = scene;
  return {
    id: idOf(`${journey.request.id}/${container}/${station.event}`),
    type: 'transport_event',
    attributes: {
      description: station.description,
      voyage_number: station.vessel === undefined ? null : vessels[station.vessel].voyage,
      location_locode: places[station.place].locode,
      sequence: Math.max(itinerary.indexOf(station), 0),
      occurred_at: occurredAt(scene),
      reported_at: occurredAt(scene),
    },
  };
}

function location({ station }: Scene): Resource {
  const { name, locode, latitude, longitude, timeZone } = places[station.place];
  const attributes = { name, locode, country_code: locode.slice(0, 2), latitude, longitude, time_zone: timeZone };
  return { id: idOf(`location/${locode}`), type: 'location', attributes };
}

function terminal({ station }: Scene): Resource {
  const { terminal: name, firms, locode } = places[station.place];
  return { id: idOf(`terminal/${name}`), type: 'terminal', attributes: { name, firms_code: firms, locode } };
}

const vessels: Readonly<Record<VesselName, { name: string; imo: string; mmsi: number; voyage: string }>> = {
  feeder: { name: 'YANGTZE SWIFT', imo: '9074729', mmsi: 412_345_670, voyage: '118E' },
  first: { name: 'SEAWORTHY STAR', imo: '9321483', mmsi: 563_012_340, voyage: '042N' },
  second: { name: 'SEAWORTHY OCEAN', imo: '9454436', mmsi: 477_654_320, voyage: '017E' },
};

function vessel({ station }: Scene): Resource {
  const { name, imo, mmsi } = vessels[station.vessel ?? 'second'];
  const { latitude, longitude } = places[station.place];
  const attributes = { name, imo, mmsi, latitude, longitude, speed_knots: 0, heading_degrees: 90 };
  return { id: idOf(`vessel/${imo}`), type: 'vessel', attributes };
}

function document(scene: Scene): Resource {
  const { journey, station } = scene;
  return {
    id: idOf(`${journey.request.id}/${station.event}`),
    type: 'document',
    attributes: { size_bytes: 184_320, ...station.document, received_at: occurredAt(scene) },
  };
}

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
interface Story {
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
