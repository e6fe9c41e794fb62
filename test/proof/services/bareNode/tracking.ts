import { randomUUID } from 'node:crypto';

import { isObject } from './json.ts';
import { demand } from './refusal.ts';

/** How long the carrier takes to answer, in milliseconds. */
const inquiry = 20;

const shippingLines = new Set(['MAEU', 'MSCU', 'CMDU', 'COSU', 'HLCU', 'ONEY', 'EGLV', 'HDMU', 'YMLU', 'ZIMU', 'OOLU']);

/** The bills of lading that the carriers know, each with its containers. */
const bills: Readonly<Record<string, readonly string[]>> = {
  'MAEU:MAEU123456789': ['MRKU1234561', 'MRKU7654321'],
  'HLCU:HLCUHAM260312345': ['HLXU1234564'],
};

interface TrackingRequest {
  readonly id: string;
  readonly number: string;
  readonly scac: string;
  readonly createdAt: string;
  status: 'pending' | 'created' | 'failed';
}

/** Tracking requests, and the records that come of them. */
export class Tracking {
  readonly #requests: TrackingRequest[] = [];
  readonly #tracked = new Map<string, { readonly shipment: object; readonly containers: readonly object[] }>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #raise: (event: string) => void;

  constructor(raise: (event: string) => void) {
    this.#raise = raise;
  }

  get requests(): object[] {
    return this.#requests.map(requestResource);
  }

  get shipments(): object[] {
    return [...this.#tracked.values()].map(({ shipment }) => shipment);
  }

  get containers(): object[] {
    return [...this.#tracked.values()].flatMap(({ containers }) => containers);
  }

  /** @throws Refusal */
  request(body: unknown): object {
    const request: TrackingRequest = { ...inquired(body), id: randomUUID(), createdAt: now(), status: 'pending' };
    this.#requests.push(request);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#conclude(request);
    }, inquiry);
    this.#timers.add(timer);
    return requestResource(request);
  }

  /** The records of some bill of lading, as if somebody had asked for them. */
  trackAny(): void {
    this.#track(Object.keys(bills).at(-1)!);
  }

  close(): void {
    this.#timers.forEach(clearTimeout);
  }

  #conclude(request: TrackingRequest): void {
    const bill = `${request.scac}:${request.number}`;
    const isKnown = Object.hasOwn(bills, bill);
    if (isKnown) this.#track(bill);
    request.status = isKnown ? 'created' : 'failed';
    this.#raise(isKnown ? 'tracking_request.succeeded' : 'tracking_request.failed');
  }

  #track(bill: string): void {
    if (this.#tracked.has(bill)) return;
    const [scac, number] = bill.split(':');
    const shipment = resource('shipment', { bill_of_lading_number: number, shipping_line_scac: scac });
    const containers = bills[bill]!.map((container) => resource('container', { number: container }));
    this.#tracked.set(bill, { shipment, containers });
  }
}

/** The shipping line by the letters that a number begins with. @throws Refusal */
export function inferredScac(body: unknown): string {
  demand(isObject(body) && typeof body['number'] === 'string', 'number is missing.\n');
  const scac = body['number'].slice(0, 4).toUpperCase();
  demand(shippingLines.has(scac), 'No shipping line is known for that number.\n');
  return scac;
}

function inquired(body: unknown): { readonly number: string; readonly scac: string } {
  demand(isObject(body) && isObject(body['data']), 'data is missing.\n');
  const { type, attributes } = body['data'];
  demand(type === 'tracking_request' && isObject(attributes), 'data must be a tracking_request with attributes.\n');
  const { request_type: kind, request_number: number, scac } = attributes;
  demand(kind === 'bill_of_lading', 'request_type must be bill_of_lading.\n');
  demand(typeof number === 'string' && number !== '', 'request_number is missing.\n');
  demand(typeof scac === 'string' && shippingLines.has(scac), 'scac must be that of a shipping line.\n');
  return { number, scac };
}

function requestResource({ id, number, scac, status, createdAt }: TrackingRequest): object {
  const asked = { request_type: 'bill_of_lading', request_number: number, scac };
  return { id, type: 'tracking_request', attributes: { ...asked, status, created_at: createdAt } };
}

function resource(type: string, attributes: object): object {
  return { id: randomUUID(), type, attributes };
}

function now(): string {
  return new Date().toISOString();
}
