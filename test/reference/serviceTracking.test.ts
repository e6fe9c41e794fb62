import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { billOfLading, containerCheckDigit, scac, trackingRequest } from '../../generators/index.ts';
import { type RunningService, startService } from '../../reference/service/service.ts';
import { catalogue, contract, dataOf, type Item, pointersOf, ServiceClient, tracking } from './serviceClient.ts';
import { deliveryProblem, ServiceEndpoints } from './serviceEndpoints.ts';

/** Forty days in a third of a second. */
const speed = 1e7;

let endpoints: ServiceEndpoints;
const running: RunningService[] = [];

beforeAll(async () => {
  endpoints = await new ServiceEndpoints().start();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.close()));
});

afterAll(() => endpoints.close());

async function start(options: object = {}): Promise<ServiceClient> {
  const service = await startService(options);
  running.push(service);
  return new ServiceClient(service);
}

/** Asks for a number to be tracked; returns the request as the answer shows it. */
async function track(client: ServiceClient, ...order: Parameters<typeof tracking>): Promise<Item> {
  const answered = await client.call('createTrackingRequest', { body: tracking(...order) });
  expect(answered.status).toBe(201);
  return dataOf(answered) as Item;
}

/** The tracking requests once this one's status is another than these. */
function beyond(client: ServiceClient, id: string, ...statuses: string[]) {
  return client.until('listTrackingRequests', (all) => {
    return !statuses.includes(all.find((each) => each.id === id)!.attributes.status);
  });
}

/** The events in the order in which they happened: the list of notifications shows the newest first. */
async function happened(client: ServiceClient): Promise<string[]> {
  const all = await client.all('listWebhookNotifications');
  return all.map(({ attributes }) => attributes.event).toReversed();
}

describe('a number that is found', () => {
  test('leads to a shipment and containers, which can be read before success is reported', async () => {
    const client = await start();
    const endpoint = endpoints.add(200);
    await client.webhook(endpoint.url, { events: ['tracking_request.succeeded'] });
    const request = await track(client, 'MAEU123456789');
    expect(request).toMatchObject({
      type: 'tracking_request',
      attributes: { request_type: 'bill_of_lading', request_number: 'MAEU123456789', scac: 'MAEU', status: 'pending' },
    });
    const [attempt] = await endpoint.caught(1);
    const included = (type: string) => attempt!.json.included.filter((each) => each.type === type);
    const [shipments, containers] = await Promise.all([client.all('listShipments'), client.all('listContainers')]);
    expect(included('shipment')).toEqual(shipments);
    expect(included('container').toSorted(byId)).toEqual(containers.toSorted(byId));
    expect([shipments.length, containers.length]).toEqual([1, 2]);
    expect(shipments[0]!.attributes).toMatchObject({
      bill_of_lading_number: 'MAEU123456789',
      shipping_line_scac: 'MAEU',
      container_count: 2,
    });
    for (const { attributes } of containers) {
      const number = attributes['number'] as string;
      expect(number).toMatch(/^[A-Z]{3}U\d{7}$/);
      expect(Number(number.at(-1))).toBe(containerCheckDigit(number.slice(0, -1)));
    }
    const [listed] = await client.all('listTrackingRequests');
    expect(listed).toMatchObject({ id: request.id, attributes: { status: 'created', failed_reason: null } });
  });

  test('that is a container’s leads to that container', async () => {
    const client = await start();
    const { id } = await track(client, 'MSKU9070323', 'MAEU', 'container');
    await beyond(client, id, 'pending');
    const containers = await client.all('listContainers');
    expect(containers.map(({ attributes }) => attributes['number'])).toEqual(['MSKU9070323']);
  });

  test('can be tracked again, and is a shipment of its own each time', async () => {
    const client = await start();
    const requests = [await track(client, 'MAEU123456789'), await track(client, 'MAEU123456789')];
    for (const { id } of requests) await beyond(client, id, 'pending');
    const [shipments, containers] = [await client.all('listShipments'), await client.all('listContainers')];
    expect(new Set([...requests, ...shipments].map(({ id }) => id)).size).toBe(4);
    expect(new Set(containers.map(({ id }) => id)).size).toBe(4);
  });
});

function byId(one: Item, other: Item): number {
  return one.id < other.id ? -1 : 1;
}

test('a number that the line does not know fails, and leads to nothing', async () => {
  const client = await start();
  const endpoint = endpoints.add(200);
  await client.webhook(endpoint.url);
  const [scacCode, number] = client.service.untrackable.split(':') as [string, string];
  const { id } = await track(client, number, scacCode);
  const [attempt] = await endpoint.caught(1);
  expect(attempt!.json.data.attributes.event).toBe('tracking_request.failed');
  expect(attempt!.json.included).toMatchObject([{ id, attributes: { status: 'failed' } }]);
  expect(await client.all('listTrackingRequests')).toEqual(attempt!.json.included);
  expect([await client.all('listShipments'), await client.all('listContainers')]).toEqual([[], []]);
  expect(await happened(client)).toEqual(['tracking_request.failed']);
});

describe('the voyage', () => {
  test('raises all 43 events in an order that can be believed, with records to match', async () => {
    const client = await start({ speed });
    const endpoint = endpoints.add(200);
    const { attributes } = await client.webhook(endpoint.url);
    const { id } = await track(client, 'MAEU123456202');
    await beyond(client, id, 'pending', 'awaiting_manifest', 'created');
    const events = await happened(client);
    expect(new Set([...events, 'tracking_request.failed'])).toEqual(new Set(catalogue));

    const moves = (...names: string[]) => names.map((name) => `container.transport.${name}`);
    const orders = [
      ['tracking_request.awaiting_manifest', 'tracking_request.succeeded', 'container.created'],
      ['container.created', ...moves('empty_out', 'full_in', 'feeder_loaded', 'feeder_departed', 'feeder_arrived')],
      moves('feeder_arrived', 'feeder_discharged', 'vessel_loaded', 'vessel_departed', 'transshipment_arrived'),
      moves('transshipment_arrived', 'transshipment_discharged', 'transshipment_loaded', 'transshipment_departed'),
      moves('transshipment_departed', 'vessel_arrived', 'vessel_berthed', 'vessel_discharged', 'not_available'),
      moves('vessel_discharged', 'rail_loaded', 'rail_departed', 'rail_arrived', 'rail_unloaded'),
      moves('rail_unloaded', 'arrived_at_inland_destination', 'available', 'full_out', 'delivered', 'empty_in'),
      moves('estimated.vessel_departed', 'vessel_departed'),
      moves('estimated.vessel_arrived', 'vessel_arrived'),
      moves('estimated.arrived_at_inland_destination', 'arrived_at_inland_destination'),
      ['container.pod_terminal_changed', ...moves('vessel_discharged')],
      [...moves('vessel_discharged'), 'container.pickup_lfd.changed', ...moves('full_out')],
      [...moves('available'), 'container.pickup_appointment.changed', ...moves('full_out')],
      [...moves('empty_in'), 'tracking_request.tracking_stopped'],
    ];
    for (const order of orders) {
      const seen = [...new Set(events)].filter((event) => order.includes(event));
      expect(seen).toEqual(order);
    }
    expect(events.at(-1)).toBe('tracking_request.tracking_stopped');

    const attempts = await endpoint.caught(events.length);
    expect(attempts.map((each) => deliveryProblem(each, attributes.secret)).filter((each) => each)).toEqual([]);
    const containers = await client.all('listContainers');
    for (const container of containers) {
      expect(container.attributes).toMatchObject({ current_status: 'returned', pod_terminal: 'Pier 400', holds: [] });
      const own = attempts.filter(({ json }) => json.included[0]!.id === container.id);
      expect(own.map(({ json }) => json.data.attributes.event)).toContain('container.transport.delivered');
    }
    const [request] = await client.all('listTrackingRequests');
    expect(request!.attributes.status).toBe('tracking_stopped');
  });

  test('goes on where it was when the service starts again, and sends nothing twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seaworthy-test-'));
    const database = join(folder, 'service.db');
    const first = await start({ speed: speed / 4, database });
    const hook = await first.webhook(endpoints.add(200).url);
    const { id } = await track(first, 'MAEU123456789');
    await first.until('listWebhookNotifications', (all) => all.length > 10);
    await running.pop()!.close();

    const second = await start({ speed, database });
    await beyond(second, id, 'pending', 'created');
    const events = await happened(second);
    const expected = catalogue.filter(
      (event) => !/failed$|awaiting/.test(event) || event === 'document.extraction_failed',
    );
    expect(new Set(events)).toEqual(new Set(expected));
    // What happens to a container happens to both of them.
    const counts = Map.groupBy(events, (event) => event);
    for (const [event, all] of counts)
      expect([event, all.length]).toEqual([event, event.startsWith('container.') ? 2 : 1]);
    expect((await second.all('listWebhooks')).map((each) => each.id)).toEqual([hook.id]);
    await running.pop()!.close();
    await rm(folder, { recursive: true });
  });
});

describe('createTrackingRequest', () => {
  test.each([
    ['MAEU123456789', 'XXXX', 'bill_of_lading', ['/data/attributes/scac']],
    ['MAEU123456789', 'maeu', 'bill_of_lading', ['/data/attributes/scac']],
    ['MAEU123456789', 'UPSN', 'bill_of_lading', ['/data/attributes/scac']],
    ['short', 'MAEU', 'bill_of_lading', ['/data/attributes/request_number']],
    ['PO-2026/4711 b', 'MAEU', 'bill_of_lading', ['/data/attributes/request_number']],
    ['', 'MAEU', 'bill_of_lading', ['/data/attributes/request_number']],
    ['MAEU123456789', 'MAEU', 'parcel', ['/data/attributes/request_type']],
  ])('refuses the number %j of %s as a %s', async (number, line, type, pointers) => {
    const client = await start();
    const answered = await client.call('createTrackingRequest', { body: tracking(number, line, type) });
    expect(answered.status).toBe(422);
    expect(pointersOf(answered)).toEqual(pointers);
    expect(await client.all('listTrackingRequests')).toEqual([]);
  });

  test('takes the bills of lading, bookings and containers of every line', async () => {
    const client = await start();
    const types = fc.constantFrom('bill_of_lading', 'booking_number', 'container');
    await fc.assert(
      fc.asyncProperty(
        trackingRequest(contract, { members: { '/data/attributes/request_type': types } }),
        async (body) => {
          const answered = await client.call('createTrackingRequest', { body });
          expect(answered.status).toBe(201);
          const given = (body as unknown as { data: Item }).data.attributes;
          expect((dataOf(answered) as Item).attributes).toMatchObject(given);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('inferTrackingNumber', () => {
  test.each([
    ['MAEU123456789', 'MAEU'],
    ['HLCUHAM240112345', 'HLCU'],
    [' oolu1234567890 ', 'OOLU'],
    ['MSKU9070323', 'MAEU'],
    ['MEDU1234567', 'MSCU'],
    ['ONE1234567', 'ONEY'],
  ])('names the line of %j: %s', async (number, line) => {
    const client = await start();
    const answered = await client.call('inferTrackingNumber', { body: { number } });
    expect(answered).toMatchObject({ status: 200, json: { data: { scac: line } } });
  });

  test('names the line of every bill of lading', async () => {
    const client = await start();
    const numbers = scac().chain((carrier) => billOfLading({ carrier }).map((number) => [carrier, number] as const));
    await fc.assert(
      fc.asyncProperty(numbers, async ([carrier, number]) => {
        const answered = await client.call('inferTrackingNumber', { body: { number } });
        expect(answered.json).toEqual({ data: { number, scac: carrier } });
      }),
      { numRuns: 50 },
    );
  });

  test('says so where it cannot', async () => {
    const client = await start();
    for (const number of ['123456789', 'ZZZZ12345678', '__proto__']) {
      expect((await client.call('inferTrackingNumber', { body: { number } })).status).toBe(422);
    }
  });
});
