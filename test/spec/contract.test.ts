import { describe, expect, it } from 'vitest';

import { assumptionValue, resolveAssumptions } from '../../spec/assumptions.ts';
import { type CatalogueEvent, loadContract } from '../../spec/contract.ts';
import { shippedTexts } from '../../spec/contractFiles.ts';
import { minimalNotification } from './minimalNotification.ts';

// With its texts given, each of its schemas is proven to compile, as one of the user's own is.
const contract = loadContract(shippedTexts());

function event(name: string): CatalogueEvent {
  const found = contract.events.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no event ${name}`);
  return found;
}

describe('the shipped contract', () => {
  it('is the beta of the tracking service', () => {
    expect([contract.title, contract.version]).toEqual(['Shipment Tracking Service', '0.2.0']);
    expect(contract.document.info.title).toBe(contract.title);
  });

  it('has the terms of delivery of sections 2.2, 3.1 and 4.4', () => {
    expect(contract.delivery).toMatchObject({
      method: 'POST',
      mediaType: 'application/json',
      acceptedStatuses: [200, 201, 202, 204],
      retries: 12,
      members: {
        id: '/data/id',
        type: '/data/type',
        event: '/data/attributes/event',
        status: '/data/attributes/delivery_status',
        createdAt: '/data/attributes/created_at',
        included: '/included',
      },
    });
  });

  it('has every operation of sections 4.1 to 4.3, secured, with its media types', () => {
    const media = (content: object | undefined) => Object.keys(content ?? {}).join(' ');
    const rows = contract.operations.map(({ operationId, method, path, request }) =>
      `${operationId}: ${method} ${path} ${media(request)}`.trim(),
    );
    expect(rows).toMatchInlineSnapshot(`
      [
        "listWebhooks: GET /webhooks",
        "createWebhook: POST /webhooks application/vnd.api+json application/json",
        "triggerWebhook: POST /webhooks/trigger application/json",
        "listWebhookIps: GET /webhooks/ips",
        "readWebhook: GET /webhooks/{id}",
        "deleteWebhook: DELETE /webhooks/{id}",
        "updateWebhook: PATCH /webhooks/{id} application/vnd.api+json",
        "listWebhookNotifications: GET /webhook_notifications",
        "listTrackingRequests: GET /tracking_requests",
        "createTrackingRequest: POST /tracking_requests application/vnd.api+json",
        "inferTrackingNumber: POST /tracking_requests/infer_number application/json application/vnd.api+json",
        "listShipments: GET /shipments",
        "listContainers: GET /containers",
      ]
    `);
    expect(contract.operations.every(({ secured }) => secured)).toBe(true);
    const create = contract.operations.find(({ operationId }) => operationId === 'createWebhook');
    expect(media(create?.responses['201'])).toBe('application/json application/xml');
    expect(create?.responses['201']?.['application/xml']?.schema).toBe(
      create?.responses['201']?.['application/json']?.schema,
    );
  });

  it('has a key in the Authorization header', () => {
    expect(contract.document.components?.securitySchemes?.['apiKey']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
    });
  });

  it('marks every gap somewhere in the document, or in its requirements alone where no part of it is open', () => {
    const { openapi, contract: form } = shippedTexts();
    const unmarked = contract.gaps.filter(({ id }) => !new RegExp(`${id}\\b`).test(openapi + form)).map(({ id }) => id);
    expect(unmarked).toEqual([]);
  });

  it('names the header and the form of the signature as assumptions', () => {
    const defaults = resolveAssumptions(contract.assumptions);
    const { parameters } = contract.document.components ?? {};
    expect(assumptionValue(defaults, 'signature.header')).toBe('X-SVC-Webhook-Signature');
    expect(parameters?.['Signature']).toMatchObject({ name: 'X-SVC-Webhook-Signature', in: 'header' });
    expect(assumptionValue(defaults, 'signature.scheme')).toBe('hmac-sha256-hex');
  });
});

describe('the catalogue of section 6', () => {
  it('has 43 events in 12 groups', () => {
    const groups = Map.groupBy(contract.events, ({ group }) => group);
    expect(Object.fromEntries([...groups].map(([group, events]) => [group, events.length]))).toEqual({
      Vessel: 7,
      Rail: 4,
      Transshipment: 4,
      Feeder: 4,
      'Gate moves': 4,
      Shipment: 1,
      'Tracking request': 4,
      'Container record': 3,
      'Inland destination': 2,
      'Pickup dates': 5,
      Availability: 3,
      Document: 2,
    });
    expect(contract.events.length).toBe(43);
  });

  it('has exactly these names, in order', () => {
    expect(contract.events.map(({ name }) => name).join('\n')).toMatchInlineSnapshot(`
      "container.transport.vessel_arrived
      container.transport.estimated.vessel_arrived
      container.transport.vessel_discharged
      container.transport.vessel_loaded
      container.transport.vessel_departed
      container.transport.estimated.vessel_departed
      container.transport.vessel_berthed
      container.transport.rail_departed
      container.transport.rail_arrived
      container.transport.rail_loaded
      container.transport.rail_unloaded
      container.transport.transshipment_arrived
      container.transport.transshipment_discharged
      container.transport.transshipment_loaded
      container.transport.transshipment_departed
      container.transport.feeder_arrived
      container.transport.feeder_discharged
      container.transport.feeder_loaded
      container.transport.feeder_departed
      container.transport.empty_out
      container.transport.full_in
      container.transport.full_out
      container.transport.empty_in
      shipment.estimated.arrival
      tracking_request.succeeded
      tracking_request.failed
      tracking_request.awaiting_manifest
      tracking_request.tracking_stopped
      container.created
      container.updated
      container.pod_terminal_changed
      container.transport.arrived_at_inland_destination
      container.transport.estimated.arrived_at_inland_destination
      container.pickup_lfd.changed
      container.pickup_lfd_line.changed
      container.pickup_lfd_terminal.changed
      container.pickup_lfd_rail.changed
      container.pickup_appointment.changed
      container.transport.available
      container.transport.not_available
      container.transport.delivered
      document.extracted
      document.extraction_failed"
    `);
  });

  it.each(contract.events.map((each) => [each.name, each] as const))(
    '%s takes its own notification only',
    (name, each) => {
      const other = contract.events.find((another) => another !== each)?.name ?? '';
      expect(each.validate(minimalNotification(name))).toBe(true);
      expect(each.validate(minimalNotification(other))).toBe(false);
      expect(each.validate.errors?.map(({ instancePath }) => instancePath)).toEqual(['/data/attributes/event']);
      expect(JSON.stringify(each.schema)).not.toContain('$ref');
      expect(JSON.stringify(each.schema)).not.toContain('allOf');
    },
  );

  it.each([
    ['container.transport.vessel_arrived', 'container shipment transport_event location vessel'],
    ['container.transport.estimated.vessel_arrived', 'container shipment location vessel'],
    ['container.transport.rail_loaded', 'container shipment transport_event location'],
    ['container.transport.full_out', 'container shipment transport_event terminal'],
    ['shipment.estimated.arrival', 'shipment container location'],
    ['tracking_request.succeeded', 'tracking_request shipment container'],
    ['tracking_request.failed', 'tracking_request'],
    ['tracking_request.tracking_stopped', 'tracking_request shipment'],
    ['container.updated', 'container shipment terminal'],
    ['container.pickup_lfd.changed', 'container shipment terminal'],
    ['document.extracted', 'document shipment'],
  ])('%s brings %s', (name, types) => {
    expect(
      event(name)
        .included.map(({ type }) => type)
        .join(' '),
    ).toBe(types);
  });

  it('brings at least one resource with every event', () => {
    expect(contract.events.filter(({ included }) => !included.some(({ least }) => least > 0))).toEqual([]);
  });
});
