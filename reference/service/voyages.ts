import { randomUUID } from 'node:crypto';

import type { Contract } from '../../spec/contract.ts';
import { Alarms, retryStep } from './alarms.ts';
import type { Announcer } from './announcer.ts';
import type { Database } from './database.ts';
import { awaitingManifest, itinerary, notFound, type Station } from './itinerary.ts';
import { journeyOf } from './journey.ts';
import { containerResource, occurrenceAt, type Scene, shipmentResource, trackingRequestResource } from './scene.ts';
import type { ServicePolicies, TrackingOrder } from './policies.ts';
import type { Occurrence, TrackingRequest } from './records.ts';
import type { ResourceStore, Progress, VoyageStore } from './stores.ts';

export interface VoyageParts {
  readonly contract: Contract;
  readonly database: Database;
  readonly voyages: VoyageStore;
  readonly requests: ResourceStore;
  readonly shipments: ResourceStore;
  readonly containers: ResourceStore;
  readonly announcer: Announcer;
  readonly policies: ServicePolicies;
  /** Simulated seconds in a second. */
  readonly speed: number;
}

/** Simulated milliseconds until the carrier answers, and until it has a manifest. */
const answerTime = 500;
const manifestTime = 60_000;

const dayLength = 86_400_000;

/**
 * Takes tracking requests through their voyages. Each step is stored: its records, then in one transaction its
 * notifications and that it was taken, so that a crash repeats nothing and leaves nothing out.
 */
export class Voyages {
  readonly #parts: VoyageParts;
  readonly #alarms = new Alarms();
  #stopped = false;

  constructor(parts: VoyageParts) {
    this.#parts = parts;
  }

  /** Goes on with the voyages that an earlier process left under way. */
  resume(): void {
    const { voyages, policies } = this.#parts;
    for (const progress of voyages.all()) if (policies.isStillTracked(progress.request)) this.#await(progress);
  }

  /** Takes a request down; what the carrier says of it shows later. */
  async begin(order: TrackingOrder): Promise<TrackingRequest> {
    const { database, voyages, requests, policies } = this.#parts;
    const now = Date.now();
    const { type, number, scac } = order;
    const state = { status: 'pending', failedReason: null, createdAt: now, updatedAt: now };
    const request = { id: randomUUID(), type, number, scac, ...state };
    const progress = { request, step: 0, dueAt: now + this.#real(answerTime) };
    await database.write(() => {
      requests.save(trackingRequestResource(request, policies.timestamp), now);
      voyages.save(progress);
    });
    this.#await(progress);
    return request;
  }

  stop(): void {
    this.#stopped = true;
    this.#alarms.stop();
  }

  #await(progress: Progress): void {
    this.#alarms.set(progress.dueAt, () => {
      this.#take(progress).catch((cause: unknown) => {
        if (this.#stopped) return;
        retryStep(`The voyage ${progress.request.id}`, cause, (dueAt) => this.#await({ ...progress, dueAt }));
      });
    });
  }

  async #take({ request: before, step }: Progress): Promise<void> {
    const { database, voyages, requests, announcer, policies } = this.#parts;
    const plan = this.#plan(before);
    const station = plan[step];
    if (station === undefined) return database.write(() => voyages.end(before.id));
    const request = after(before, station);
    const next = plan[step + 1];
    const progress = next && { request, step: step + 1, dueAt: Date.now() + this.#real(pause(station, next)) };
    await policies.takeStep({
      store: () =>
        database.write(() => {
          if (request !== before)
            requests.save(trackingRequestResource(request, policies.timestamp), request.createdAt);
          if (itinerary.includes(station)) this.#saveRecords(request, station);
        }),
      announce: async () => {
        await announcer.announce(this.#occurrences(request, station), () =>
          progress === undefined ? voyages.end(request.id) : voyages.save(progress),
        );
      },
    });
    if (progress !== undefined) this.#await(progress);
  }

  #plan(request: TrackingRequest): readonly Station[] {
    const found = this.#parts.policies.lookUp(request);
    if (found === 'unknown') return [notFound];
    return found === 'found' ? itinerary : [awaitingManifest, ...itinerary];
  }

  #saveRecords(request: TrackingRequest, station: Station): void {
    const { shipments, containers } = this.#parts;
    const scene = this.#scene(request, station, 0);
    shipments.save(shipmentResource(scene), request.createdAt);
    for (const each of scene.journey.containers) containers.save(containerResource(scene, each), request.createdAt);
  }

  /** What happens to a container happens to each of the shipment. */
  #occurrences(request: TrackingRequest, station: Station): readonly Occurrence[] {
    const { containers } = journeyOf(request);
    const touched = station.event.startsWith('container.') ? containers : containers.slice(0, 1);
    return touched.map((_, index) => occurrenceAt(this.#scene(request, station, index), this.#parts.contract));
  }

  #scene(request: TrackingRequest, station: Station, container: number): Scene {
    const { timestamp } = this.#parts.policies;
    return { journey: journeyOf(request), station, container, begin: request.createdAt, timestamp };
  }

  /** Milliseconds that simulated ones take. */
  #real(simulated: number): number {
    return Math.ceil(simulated / this.#parts.speed);
  }
}

/** Simulated milliseconds between two stations. */
function pause(station: Station, next: Station): number {
  return station === awaitingManifest ? manifestTime : (next.day - station.day) * dayLength;
}

/** What a station makes of the request's status (section 3.3; the names fill GAP-6). */
const statuses: Readonly<Record<string, string>> = {
  'tracking_request.awaiting_manifest': 'awaiting_manifest',
  'tracking_request.succeeded': 'created',
  'tracking_request.failed': 'failed',
  'tracking_request.tracking_stopped': 'tracking_stopped',
};

function after(request: TrackingRequest, { event }: Station): TrackingRequest {
  const status = statuses[event];
  if (status === undefined) return request;
  const failedReason = status === 'failed' ? 'The shipping line does not know this number.' : null;
  return { ...request, status, failedReason, updatedAt: Date.now() };
}
